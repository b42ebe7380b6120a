import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import { PERMITTED } from '#infra/admin/needs';
import type { Key } from '#lib/table/keys';
import { OPERATORS_FILE } from '../../../infra/local/machine/resource-names.ts';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { openProxy } from '../../wire/dynamodb-proxy.ts';
import { removeAll } from '../support/remove-all.ts';
import { argumentsOf, arrange, EVENTS, ISSUERS, RUNS } from './every-command.ts';
import { openInstance } from './operator.ts';

const it = await openInstance({ Events: EVENTS, Issuers: ISSUERS, ErasureAfterDays: '0' });
const { table, secrets } = it;
const { prepare, prepareAll, prepareFirst } = arrange(it);
/** All entries of the audit log, which the first command creates. */
const audited = () => (existsSync(join(it.data, OPERATORS_FILE)) ? it.audited(true) : []);

/** A call that is denied: the nth of its kind, such as `Query index:GSI1:ACCOUNTS of a later page`. */
interface Denied {
  readonly kind: string;
  readonly nth: number;
}

const REASON = 'You may not';
const READS = /^(GetItem|BatchGetItem|Query|Describe|GetSecretValue)/;

/** Opens an engine that denies one call, and the kinds of all calls to it and to Secrets Manager. */
async function denying({ kind, nth }: Partial<Denied>) {
  const wire = await openProxy(inject('engine'));
  const calls: string[] = [];
  const isDenied = (call: string) => {
    calls.push(call);
    return call === kind && calls.filter((one) => one === kind).length === nth;
  };
  secrets.script((operation) => {
    if (isDenied(operation)) throw new ServiceError('AccessDeniedException', REASON);
    return undefined;
  });
  wire.script((operation, input) => {
    const page = input['ExclusiveStartKey'] ? ['of a later page'] : [];
    if (isDenied([operation, ...new Set(wire.commands.at(-1)?.needs), ...page].join(' ')))
      return { status: 400, body: { __type: 'AccessDeniedException', message: REASON } };
    // Every range with two items has two pages.
    return operation === 'Query' ? { input: { ...input, Limit: 1 }, answer: (body) => body } : undefined;
  });
  return { wire, calls };
}

/** Removes everything except the keys of the instance, and creates what a run needs. */
async function prepareAlone(run: string): Promise<readonly string[]> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
  await removeAll(
    table,
    (Items as Key[]).filter(({ PK }) => !/^(RESOURCE_)?KEYS$/.test(PK)),
  );
  await (/[A-Z]{3}/.test(run) ? prepareFirst() : prepareAll());
  const names = await prepare(run);
  const locked = { username: 'end', islocked: true, lockoutend: '2099-01-01T00:00:00Z' };
  return argumentsOf(run, { ...names, FILE: it.fileOf('accounts.jsonl', [{ username: 'imp' }, locked]) });
}

/** Runs a command again and again; each time, another call is denied. */
async function* attempts(runs: readonly string[]) {
  const seen = new Set<string>();
  for (const run of runs) {
    let args: readonly string[] | undefined;
    const attempt = async (denied: Partial<Denied>) => {
      args ??= await prepareAlone(run);
      const before = audited().length;
      // One of its own: a failed command may leave calls that come late.
      const { wire, calls } = await denying(denied);
      it.describeInstance({ dynamodb: wire.url });
      const exit = await it.run([...args, '--json'], 'correct horse');
      await wire.settled();
      if (wire.commands.some(({ applied, operation }) => applied && !READS.test(operation))) args = undefined;
      wire.close();
      return { ...exit, calls, entries: audited().slice(before) };
    };
    const { calls } = await attempt({});
    for (const kind of new Set(calls).difference(seen)) {
      seen.add(kind);
      const isRepeated = calls.indexOf(kind) !== calls.lastIndexOf(kind);
      // A write alone is atomic.
      for (const nth of READS.test(kind) ? [1] : isRepeated ? [2] : []) {
        const attempted = await attempt({ kind, nth });
        // A search may have ended before, and the process may have cached a key.
        if (attempted.calls.filter((call) => call === kind).length >= nth) yield { kind, nth, ...attempted };
      }
    }
  }
}

/** Whether the JSON of a command is that of its failure. The data of a success may have a `code` as well. */
const isFailure = (answer: object) =>
  'code' in answer && typeof answer.code === 'string' && 'message' in answer;

/** Work that a later request does again. */
const isSpare = (kind: string) => kind.endsWith(':CURSORS');

/** Reads for the report on an administrator, after the change. */
const REPORTING = /:(REVOKED|TOKENS)\b/;

/** Work after the change of a command: a fault is a line of its report, or a job does the work again. */
const AFTERWARDS: Readonly<Record<string, RegExp>> = {
  'account lock': REPORTING,
  'account cancel': REPORTING,
  'account erase': /DeleteItem|Query:(SESSION|ENDED|ACCOUNT|MADE|ATTEMPTS|NAMES)\b/,
  'account remove': REPORTING,
  'account reactivate': /:(NAMES|CANCELLED|TOKEN|REVOKED|OUTBOX)\b|Query:ACCOUNT$/,
  // The transaction has ended the trust, and DynamoDB removes its item otherwise.
  'trust delete --issuer': /DeleteItem:TRUST$/,
  'trust delete --created-by': /DeleteItem:TRUST$/,
  'trust delete --created-since': /DeleteItem:TRUST$/,
};

/** Commands that list the credentials of an account after their work: null is what could not be listed. */
const LISTING = ['account show', 'account lock', 'account unlock', 'account password'];

/** Outcomes of commands that go on with a hint without the erasure key, which support cannot read. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  'account lock': 'account_not_found',
  'account cancel': 'account_not_found',
  'token revoke': 'ok',
  'trust delete --created-by': 'ok',
};

/** Commands that report the key as `unknown` then. */
const REPORTING_KEY = ['doctor', 'restore check'];

/** The mends of restores and commands that need a stack have tests of their own. */
const APART = ['restore check --mend', 'restore erase-again', 'events replay', 'audit'];

/** A rotation that has started is reported before the call that is denied. */
const withoutStart = (command: string, text: string) =>
  command.startsWith('keys rotate') ? text.replace(/The rotation to \S+ has started, but then: /, '') : text;

test.each(PERMITTED.filter(({ command }) => !APART.includes(command)))(
  '$command reports each call that is denied, and answers nothing as complete',
  async ({ command, audited: isAudited }) => {
    for await (const { kind, nth, code, stdout, stderr, entries } of attempts(
      (RUNS[command] ?? ['']).map((run) => `${command} ${run}`.trim()),
    )) {
      const [operation = ''] = kind.split(' ');
      const message = `${/Secret/.test(operation) ? 'SecretsManager' : 'DynamoDB'} ${operation}: ${REASON}`;
      const [first, ...more] = withoutStart(command, stdout).trim().split('\n').reverse();
      const answer = JSON.parse(first as string);
      const denied = `${nth}. ${kind}`;
      const outcomes = entries.map(({ outcome }) => outcome);
      if (isSpare(kind)) {
        expect([code, isFailure(answer)], denied).toEqual([0, false]);
        continue;
      }
      if (LISTING.includes(command) && answer.credentials === null) {
        expect([code, isFailure(answer)], denied).toEqual([0, false]);
        continue;
      }
      const after = AFTERWARDS[command];
      if (after?.test(kind)) {
        expect([code, isFailure(answer)], denied).toEqual([0, false]);
        if (after === REPORTING) expect(stderr, denied).toContain(`listed completely: ${message}`);
        continue;
      }
      const isKey = kind === 'GetSecretValue' || kind.endsWith(':ERASURE_KEY');
      if (kind === 'GetSecretValue' && REPORTING_KEY.includes(command)) {
        expect(stdout, denied).not.toContain(REASON);
        continue;
      }
      const outcome = isKey ? WITHOUT_KEY[command] : undefined;
      if (outcome) {
        expect([code, isFailure(answer)], denied).toEqual(outcome === 'ok' ? [0, false] : [1, true]);
        expect(new Set(outcomes), denied).toEqual(new Set(['started', outcome]));
        expect(stderr, denied).toMatch(/^Whether \S+ was erased is unknown without the erasure key: /m);
        continue;
      }
      expect(code, denied).toBe(1);
      expect(more.length === 0 || command === 'export', denied).toBe(true);
      if (command === 'doctor') {
        expect(answer, denied).toMatchObject({ code: 'unhealthy' });
        expect(JSON.stringify(answer.errors)).toContain(
          `cannot be checked: AccessDeniedException: ${message}`,
        );
      } else if (answer.failed > 0) {
        // An import goes on with the next accounts; its two lines share one read of the erasure key and its check value, unless
        // the second line begins after the refusal of that read.
        const { failed } = answer;
        expect(isKey && !kind.startsWith('PutItem') ? [1, 2] : [1], denied).toContain(failed);
        const results = ['AccessDeniedException', failed === 2 ? 'AccessDeniedException' : 'ok'];
        expect(answer, denied).toEqual({ created: 2 - failed, existing: 0, failed });
        expect(stderr.match(new RegExp(`^line [12]: ${message}$`, 'gm')), denied).toHaveLength(failed);
        expect(outcomes.toSorted(), denied).toEqual([...results, 'ok', 'started']);
      } else {
        expect(answer, denied).toEqual({ code: 'AccessDeniedException', message });
        const reported = withoutStart(command, stderr).match(/^\w+: .*You may not$/gm);
        expect(reported, denied).toEqual([`AccessDeniedException: ${message}`]);
        const parts = Array(Math.max(0, outcomes.length - 2)).fill('ok');
        const all = isAudited ? ['started', ...parts, 'AccessDeniedException'] : [];
        expect(outcomes, denied).toEqual(all);
      }
    }
  },
);
