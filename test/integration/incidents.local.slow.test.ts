import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { ARTICLES } from '#infra/aws/monitoring/monitoring';
import { inParallel } from '#lib/async/in-parallel';
import { collectAudit } from '#lib/audit/jobs';
import { PER_NAME } from '#lib/login/attempts';
import { LOCKED } from '#lib/login/lockout';
import { contract as login } from '#lib/login/login.contract';
import { relayOutbox } from '#lib/outbox/jobs';
import { MAX_ENTRIES } from '#lib/outbox/publisher';
import { probe } from '#lib/probe/jobs';
import { KEY_DIFFERS } from '#lib/pseudonym/erasure-key';
import { rotateSigningKey } from '#lib/session/jobs';
import { NO_KEY } from '#lib/session/signing-key';
import { attemptsOnNameKey, outboxKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { DAY_MS, HOUR_MS } from '#lib/time';
import { runningInstance } from '../../infra/admin/target.ts';
import { AUDIT_FILE, NAMES } from '../../infra/local/machine/resource-names.ts';
import { bindingsOf, credentialsFor, sdkEnvironment } from '../../infra/local/sdk-environment.ts';
import { subscriptionEvent } from '../../infra/local/services/lambda/audit-lines.ts';
import { openFunctionLog } from '../../infra/local/services/lambda/function-log.ts';
import { startLambda } from '../../infra/local/services/lambda/lambda.ts';
import { exception, failingEntries } from '../events/faults.ts';
import { openStage } from '../events/stage.ts';
import { matches } from '../infra/filter-pattern.ts';
import { synthesize } from '../infra/synth.ts';
import { lineOf } from '../unit/erasure/person.ts';
import { newFolder } from '../unit/support/folder.ts';
import { gatewayEvent } from '../unit/support/gateway-event.ts';
import { commandsIn } from './articles.ts';
import { run, start } from './operator.ts';
import { get, noted, post } from './service.ts';

type Line = Readonly<Record<string, unknown>>;

const stage = await openStage();
afterAll(stage.close);
const log = join(stage.data, 'functions.log');
const admin = (command: string, input = '') => run(command.split(' '), input, ['--data', stage.data]);

const PASSWORD: string = noted('the-password-of-the-owner');
noted(stage.service().token);
await admin('account create ada --password-stdin', PASSWORD);
await admin('account create eve --role sys_administrator');

const pages = [...new Set(Object.values(ARTICLES))].map((path) => readFile(path, 'utf8'));
const articles = (await Promise.all(pages)).join('\n');
const articleOf = (id: string) =>
  articles.split(`\n### ${id}\n`)[1]?.split('\n### ')[0]?.replace(/\s+/g, ' ');
const alarms = synthesize().of('AWS::CloudWatch::Alarm');

/** All lines that the functions have logged, without the first so many. */
const linesFrom = async (first = 0): Promise<Line[]> =>
  JSON.parse(`[${(await readFile(log, 'utf8')).trim().replaceAll('\n', ',')}]`).slice(first);

async function logIn(password = PASSWORD, username = 'ada') {
  const base = stage.service().url;
  return (await post(login.path, { json: { username, password }, base })).status;
}

/**
 * Invokes a function of the instance in a new execution environment, which has cached nothing.
 *
 * @param auditFile receives its audit lines: another one than that of the instance is a subscription that is cut
 */
async function invoke(
  id: string,
  event: unknown = {},
  auditFile = join(stage.data, AUDIT_FILE),
): Promise<unknown> {
  const { credentials, settings = {}, table, ...endpoints } = runningInstance(stage.data);
  const sdk = sdkEnvironment({}, endpoints, credentialsFor({}, credentials));
  const lines = openFunctionLog(log, auditFile);
  const lambda = startLambda((one) => ({ ...sdk, ...settings, ...bindingsOf(one, table) }), lines);
  onTestFinished(() => lambda.close().then(lines.close));
  return lambda.invoke(id, event).catch(() => undefined);
}
const sweep = () => invoke(relayOutbox.id);
const logInAnew = (auditFile?: string) => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'ada', password: PASSWORD });
  return invoke(login.id, gatewayEvent({ method: 'POST', headers, body }), auditFile);
};

/** Leaves events in the outbox that look as if requests had left them some time ago. */
async function leaveEvents(username: string, age: number, count = 1): Promise<void> {
  const createdAt = Date.now() - age;
  const event = { detailType: 'user_cancel', detail: JSON.stringify({ username }), createdAt };
  const ids = Array.from({ length: count }, () => uuid({ msecs: createdAt }));
  await inParallel(ids, (id) => put(stage.table, outboxKey(id), { ...event, id }), 8);
}

async function ageSigningKey(days: number): Promise<void> {
  await stage.stop();
  const file = join(stage.data, 'secrets.json');
  const secrets = JSON.parse(await readFile(file, 'utf8'));
  for (const version of Object.values<{ created: number }>(secrets[NAMES.signingKey].versions))
    version.created -= days * DAY_MS;
  await writeFile(file, JSON.stringify(secrets));
  await stage.start();
}

/** Replaces the text of a secret, by one after the other. */
async function replaceSecret(SecretId: string, ...texts: readonly string[]): Promise<void> {
  const { secretsmanager: endpoint } = runningInstance(stage.data);
  const credentials = credentialsFor({}, undefined);
  const secrets = new SecretsManagerClient({ endpoint, region: 'us-east-1', credentials });
  for (const SecretString of texts) await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
}

/** Leaves the secret without a key, as in a new stack. */
const loseSigningKey = () => replaceSecret(NAMES.signingKey, 'none', 'none yet');

/** The collector gets a line that names an account. */
const collectLine = () => invoke(collectAudit.id, subscriptionEvent([lineOf({ actor: 'eve' }, Date.now())]));

/** Its article, a line that one finds, the metric that reads it (by default one of AWS), and the command to enter. */
type Symptom = readonly [article: string, line: Line, metric?: string | undefined, command?: string];

interface Incident {
  readonly incident: string;
  readonly cause: () => Promise<unknown>;
  readonly symptoms: readonly [Symptom, ...Symptom[]];
  /** Uses the service after the cause has ended and the commands were entered. */
  readonly after: () => Promise<unknown>;
}

const error = expect.objectContaining({ message: expect.stringMatching(/^DynamoDB /) });
const SWEPT = 'The outbox was swept';
const READ = 'The signing key was read';

const INCIDENTS: readonly Incident[] = [
  {
    incident: 'there is no signing key',
    cause: async () => {
      await loseSigningKey();
      expect(await logInAnew()).toMatchObject({ statusCode: 503 });
    },
    symptoms: [['login-unavailable', { message: NO_KEY }, 'Outcomes', 'keys rotate']],
    after: async () => expect(await logInAnew()).toMatchObject({ statusCode: 200 }),
  },
  {
    incident: 'DynamoDB is stopped',
    cause: async () => {
      stage.dynamodb.script(() => 'reset');
      expect(await logIn()).toBe(503);
      const commands = Promise.all(
        ['doctor', 'keys rotate', 'events publish'].map((each) =>
          start([...each.split(' '), '--data', stage.data]),
        ),
      );
      await Promise.all([invoke(probe.id), sweep()]);
      expect(await commands).toMatchObject([{ code: 1 }, { code: 1 }, { code: 1 }]);
    },
    symptoms: [
      ['login-unavailable', { function: login.id, error }, 'Outcomes', 'doctor'],
      ['server-errors', { error }, undefined, 'doctor'],
      ['probe-failed', { function: probe.id, probe: 'failed', jwks: 503, login: 503 }, 'Probes'],
      ['sweep-stopped', { function: relayOutbox.id, error }, 'Sweeps', 'events publish'],
      ['rotation-failed', { function: rotateSigningKey.id, error }, undefined, 'keys rotate'],
    ],
    after: async () => {
      expect(await logIn()).toBe(200);
      await Promise.all([invoke(probe.id), sweep()]);
    },
  },
  {
    incident: 'the bus refuses all events',
    cause: async () => {
      stage.events.script(() => exception(400, 'AccessDeniedException'));
      await leaveEvents('kim', HOUR_MS, MAX_ENTRIES + 1);
      await sweep();
      expect((await admin('events pending')).stdout).toContain('AccessDenied');
    },
    symptoms: [
      [
        'events-waiting',
        { message: SWEPT, pending: MAX_ENTRIES + 1 },
        'OldestPendingEvent',
        'events publish',
      ],
    ],
    after: sweep,
  },
  {
    incident: 'the bus refuses one event',
    cause: async () => {
      stage.events.script(failingEntries((entry) => !JSON.stringify(entry).includes('poison')));
      await leaveEvents('poison', DAY_MS + HOUR_MS);
      await sweep();
      expect((await admin('events pending')).stdout).toContain('set-aside');
    },
    symptoms: [['events-set-aside', { message: SWEPT, setAside: 1 }, 'EventsSetAside', 'events publish']],
    after: sweep,
  },
  {
    incident: 'the secret has another erasure key',
    cause: async () => {
      await replaceSecret(NAMES.erasureKey, 'another');
      await collectLine();
    },
    symptoms: [['erasure-key-differs', { code: KEY_DIFFERS }, 'OtherErasureKeys']],
    after: async () => {
      expect((await admin('restore adopt-key --previous')).code).toBe(0);
      expect(await collectLine()).toBe(1);
    },
  },
  {
    incident: 'the rotation is overdue',
    cause: async () => {
      await ageSigningKey(93);
      await logIn();
    },
    symptoms: [['signing-key-old', { message: READ, keyAgeDays: 93 }, 'SigningKeyAge', 'keys rotate']],
    after: () => logInAnew(),
  },
  {
    incident: 'an administrator has no password',
    cause: async () => expect(await logIn(PASSWORD, 'eve')).toBe(401),
    symptoms: [['failed-logins', { status: 401 }, undefined, 'account password eve --password-stdin']],
    after: async () => expect(await logIn(PASSWORD, 'eve')).toBe(200),
  },
  {
    incident: 'many addresses guess a password',
    cause: async () => {
      const attempts = Array(PER_NAME.max - 1).fill({ id: '0', at: Date.now(), from: '::2' });
      await admin('account create dan --password-stdin', PASSWORD);
      await put(stage.table, attemptsOnNameKey('dan'), { attempts, revision: 1 });
      await logIn('wrong', 'dan');
      expect(await logIn(PASSWORD, 'dan')).toBe(401);
    },
    symptoms: [['lockouts', { message: LOCKED }, 'Lockouts', 'account unlock dan']],
    after: async () => expect(await logIn(PASSWORD, 'dan')).toBe(200),
  },
  {
    incident: 'one address guesses a password',
    cause: async () => {
      for (let n = 0; n <= 100; n++) await logIn('wrong');
      expect(await logIn()).toBe(429);
    },
    symptoms: [['failed-logins', { function: login.id, status: 429 }, 'FailedLogins', 'account unlock ada']],
    after: async () => expect(await logIn()).toBe(200),
  },
];

/** Whether the lines after the first so many, as those of the periods of an alarm, set it off by a metric. */
async function isRed(article: string, name: string, first: number): Promise<boolean> {
  const alarm = alarms.find(({ Properties }) => String(Properties['AlarmName']).endsWith(`-${article}`));
  expect(JSON.stringify(alarm)).toContain(`"MetricName":"${name}"`);
  const { pattern = '', value, dimensions } = LOG_METRICS.find((metric) => metric.name === name) ?? {};
  const lines = await linesFrom(first);
  const found = lines.filter((line) => matches(pattern, line));
  const highest = Math.max(0, ...found.map((line) => Number(line[value?.slice(2) ?? ''])));
  // A metric with dimensions is read as a share in per cent: of the logins.
  const logins = lines.filter((line) => line['function'] === login.id && 'outcome' in line);
  const share = (100 * logins.filter(({ outcome }) => outcome === 'failed').length) / logins.length;
  const measured = dimensions ? share : value ? highest : found.length;
  const { Threshold, ComparisonOperator } = (alarm?.Properties ?? {}) as Record<string, string | number>;
  const limit = Number(Threshold);
  return ComparisonOperator === 'LessThanThreshold' ? measured < limit : measured > limit;
}

beforeEach(stage.calm);

const NAME = /\b(ada|dan|eve)\b/;

test.each(INCIDENTS)(
  'articles name the line and the remedy when $incident',
  async ({ cause, symptoms, after }) => {
    const begun = (await linesFrom()).length;
    await cause();
    for (const [article, line, metric] of symptoms) {
      await expect.poll(() => linesFrom(begun)).toContainEqual(expect.objectContaining(line));
      if (metric) await expect.poll(() => isRed(article, metric, begun), { message: article }).toBe(true);
      const { error: _, message = '', function: id = '', ...fields } = line;
      for (const word of [message, id, ...Object.keys(fields)]) expect(articleOf(article)).toContain(word);
    }
    // Only alarms of events page themselves; the others do so by the composite alarm, which pages once.
    if (!symptoms.some(([article]) => article.startsWith('events-')))
      expect(await isRed('events-waiting', 'OldestPendingEvent', begun)).toBe(false);

    stage.calm();
    for (const [article, , , command] of symptoms) {
      if (!command) continue;
      expect(articleOf(article)).toContain(`admin ${command.replace(NAME, '<username>')}`);
      await expect.poll(() => admin(command, PASSWORD)).toMatchObject({ code: 0 });
    }
    const ended = (await linesFrom()).length;
    await after();
    for (const [article, , metric] of symptoms)
      if (metric) await expect.poll(() => isRed(article, metric, ended)).toBe(false);
  },
);

test('the commands of audit-silent add the lines that the audit log and the table lack, and repeats add none', async () => {
  const [begun, since] = [(await linesFrom()).length, new Date().toISOString()];
  const beat = JSON.stringify({ level: 'audit', action: probe.id });
  const stream = `2026/11/20/${NAMES.instance}-monitoring-probe[$LATEST]0`;
  await logInAnew(join(newFolder(), 'cut.jsonl'));
  const own = { action: login.id, target: 'ada', outcome: 'ok' };
  await expect
    .poll(() => linesFrom(begun))
    .toContainEqual(expect.objectContaining({ level: 'audit', ...own }));
  expect(await isRed('audit-silent', 'AuditHeartbeats', begun)).toBe(true);
  const inLog = async () =>
    JSON.parse((await admin(`audit --action ${login.id} --since ${since} --json`)).stdout);
  const { url: base, token } = stage.service();
  const inTable = async () =>
    (await get(`/api/core/audit/browse?action=${login.id}&since=${since}`, { base, token })).body.data.items;
  expect([await inLog(), await inTable()]).toEqual([[], []]);

  const commands = commandsIn('infra/aws/monitoring/tickets.md', 'audit-silent').filter((line) =>
    line.startsWith('admin '),
  );
  const [refill = '', doctor = ''] = commands.map((line) =>
    line.replace('admin ', '').replace('<time>', since),
  );
  for (const added of [1, 0]) {
    const { code, stdout } = await admin(`${refill} --json`);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      added,
      refused: 0,
      changed: added === 1,
    });
    expect(await inLog()).toMatchObject([own]);
  }
  await expect.poll(inTable).toMatchObject([own]);
  expect((await admin(`${doctor} --json`)).stdout).toContain('one line was in the table after');
  await invoke(collectAudit.id, subscriptionEvent([beat], { logGroup: NAMES.functionLog, stream }));
  await expect.poll(() => isRed('audit-silent', 'AuditHeartbeats', begun)).toBe(false);
});

const OF_FUNCTIONS = LOG_METRICS.filter((metric) => metric.log === undefined);
test.each(OF_FUNCTIONS)(
  'the metric $name counts lines with its dimensions',
  async ({ pattern, dimensions = {} }) => {
    const found = (await linesFrom()).filter((line) => matches(pattern, line));
    const fields = Object.values(dimensions).map((field) => [field.slice(2), expect.any(String)]);
    expect(found[0]).toMatchObject(Object.fromEntries(fields));
    expect(JSON.stringify(found), 'no usernames').not.toContain('"ada"');
  },
);
