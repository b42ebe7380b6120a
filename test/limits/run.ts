import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { createAccount } from '#lib/account/create';
import { MAX_CANCELLED } from '#lib/account/directory/browse';
import { endSession } from '#lib/account/sessions';
import type { Contract, Method } from '#lib/contract/contract';
import { MAX_BODY_BYTES } from '#lib/http/body';
import type { Account } from '#lib/item/account';
import { contracts, jobs, sourceOf } from '#lib/routes';
import { putAll } from '#lib/table/bulk';
import { accountKey, cancellationKey } from '#lib/table/keys';
import { isoOf } from '#lib/time';
import { BATCH } from '../../infra/admin/import/batch.ts';
import { EVERY_ROLE } from '../integration/every-role.ts';
import { ISSUERS } from '../integration/issuers.ts';
import { needsDevice, partsOf, samplesOf } from '../integration/requests.ts';
import { RESOURCES } from '../integration/resources.ts';
import { openService, type Reply } from '../thief/service.ts';
import { snapshotsOf } from '../thief/snapshot.ts';
import { changes as mayChange } from '../unit/support/changes.ts';
import { newFolder } from '../unit/support/folder.ts';
import { storedSession } from '../unit/support/items.ts';
import {
  createTeams,
  fullestAccount,
  fullestInput,
  fullestMachine,
  fullestTrust,
  REASON,
} from './fullest.ts';

/** Bytes of an answer of Lambda, and of all headers of a request at API Gateway, less 1.5 kB for the others. */
const MAX_ANSWER = 6_291_556;
const MAX_TOKEN = 10_240 - 1536;

/** An account is erased on the day of its cancellation; the issuer and the resource are those of the samples. */
const SETTING = { ErasureAfterDays: 0, Issuers: ISSUERS, Resources: RESOURCES } as Parameters<
  Awaited<ReturnType<typeof openService>>['send']
>[1];

const PASSWORD = 'a long password of the fullest';

/**
 * Sends each request of each contract about an account that is full, and by it, then runs the jobs and the commands that move
 * all accounts.
 *
 * @returns what each answered, and what broke a quota
 */
export async function run() {
  const service = await openService();
  const { runtime, table } = service;
  const answers: Record<string, string> = {};
  const broken: string[] = [];

  async function send(contract: Contract, sent: Parameters<typeof service.send>[2], authorization?: string) {
    const reply = await service.send(contract, SETTING, sent, authorization);
    const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(reply.payload)));
    if (bytes > MAX_ANSWER) broken.push(`${contract.id}: an answer of ${bytes} bytes`);
    return reply;
  }
  const contractOf = (id: string) => contracts.find((contract) => contract.id === id) as Contract;
  const tell = (what: string, { status, code, payload }: Reply) => {
    const { error } = (payload ?? {}) as { error?: string };
    answers[what] = status >= 400 ? `${status} ${code ?? error}` : `${status}`;
    if (status >= 500) broken.push(`${what}: ${answers[what]}`);
  };

  await createTeams(service);
  const full = await fullestAccount(service, 'full', PASSWORD);
  const plain = await createAccount(runtime, {
    username: 'plain',
    password: PASSWORD,
    roles: [...EVERY_ROLE],
  });
  const machine = await fullestMachine(service, 'machine', 'plain');
  await storedSession(table, plain);
  await storedSession(table, full.account);
  const jwtOf = async (username: string, password: string) => {
    const reply = await send(contractOf('account.login'), { method: 'POST', json: { username, password } });
    const { JWTtoken = '' } = (reply.payload as { data: { JWTtoken?: string } }).data;
    tell(`account.login of ${username.slice(0, 5)}`, reply);
    if (JWTtoken.length > MAX_TOKEN)
      broken.push(`account.login: a session token of ${JWTtoken.length} bytes`);
    return `Bearer ${JWTtoken}`;
  };
  const byPlain = await jwtOf('plain', PASSWORD);
  const byFull = await jwtOf(full.account.username, PASSWORD);
  const byToken = await jwtOf('api', full.token);
  for (const authorization of [byToken, `Token ${full.token}`])
    tell(
      `system.ping by ${authorization.slice(0, 5)}`,
      await send(contractOf('system.ping'), { method: 'GET' }, authorization),
    );

  const snapshots = snapshotsOf(service.engine, table.name);
  const before = await snapshots.take();
  const again = async () => {
    await snapshots.take();
    await snapshots.restore(before);
  };

  for (const contract of contracts.filter((one) => !needsDevice(one) && !/^(docs|admin)\./.test(one.id)))
    for (const sample of samplesOf(contract.id)) {
      const { username } = sample.holds === 'kind' ? machine : full.account;
      const presented = sample.presents === 'session' ? byToken.replace('Bearer ', '') : full.token;
      const accounts = { username, source: 'plain', password: PASSWORD, presented };
      const isCopy = contract.path.includes('{source_username}');
      const all = isCopy ? [accounts, { ...accounts, username: 'plain', source: username }] : [accounts];
      for (const names of all) {
        const authorization = sample.own ? byFull : byPlain;
        const one = (id: string, of: typeof sample) => {
          const { route, ...parts } = partsOf(id, names, of);
          return send(route.contract, { ...parts, method: route.method as Method }, authorization);
        };
        for (const first of sample.before ?? []) await one(first.id, first);
        const name = [contract.id, sample.name, isCopy && `to ${names.username.slice(0, 5)}`];
        const reply = await one(contract.id, sample);
        tell(name.filter(Boolean).join(', '), reply);
        if (sample.before || (mayChange(contract) && reply.status === 200)) await again();
      }
    }

  const ask = async (what: string, id: string, sent: Parameters<typeof send>[1]) =>
    tell(what, await send(contractOf(id), sent, byPlain));
  const ofFull = { username: full.account.username };
  const ofMachine = { username: machine.username };
  await ask('account.lock with a reason', 'account.lock', {
    ...{ method: 'POST', params: ofFull },
    json: { reason: REASON },
  });
  await again();
  for (const [what, json] of [
    ['without the roles of the service', { remove: { roles: EVERY_ROLE } }],
    ['then into a machine', { kind: 'machine', owner: 'plain' }],
  ] as const)
    await ask(`account.access, ${what}`, 'account.access', { method: 'POST', params: ofFull, json });
  await again();
  await ask('trust.create, one more', 'trust.create', {
    ...{ method: 'POST', params: { ...ofMachine, trust_name: 'one-more' } },
    json: fullestTrust(),
  });
  const all = { method: 'GET', query: { ...ofMachine, limit: '200' } } as const;
  await ask('trust.browse of the full machine', 'trust.browse', all);
  await ask('account.export of the full machine', 'account.export', { method: 'GET', params: ofMachine });
  await ask('system.preview of the largest body', 'system.preview', {
    method: 'POST',
    json: { painput: '*a* '.repeat((MAX_BODY_BYTES - 100) / 4) },
  });
  await again();
  await endSession(runtime, full.account, await storedSession(table, full.account, { id: runtime.uuid() }));

  await storeCancelled(full.account, MAX_CANCELLED);
  const queries: readonly Readonly<Record<string, string>>[] = [{ limit: '9000' }, { names: 'true' }];
  for (const query of queries) {
    const cancelled_since = isoOf(0);
    const reply = await send(
      contractOf('account.browse'),
      { method: 'GET', query: { cancelled_since, ...query } },
      byPlain,
    );
    tell(`account.browse of the cancelled ${JSON.stringify(query)}`, reply);
  }
  await again();

  for (const id of ['account.cancel', 'account.erase']) {
    await ask(`${id}, then the jobs`, id, { method: 'POST', params: ofFull });
    await ask(`${id} of the full machine, then the jobs`, id, { method: 'POST', params: ofMachine });
  }
  for (const job of jobs.filter(({ trigger }) => typeof trigger === 'object')) {
    const { handler } = await import(`../../${sourceOf(job)}`);
    try {
      await handler({}, {
        awsRequestId: job.id,
        getRemainingTimeInMillis: () => 300_000,
      } as unknown as Context);
    } catch (error) {
      broken.push(`${job.id}: ${(error as Error).message}`);
    }
  }
  // The bus takes entries of 256 kB: a larger event waits for ever.
  const pending = await send(contractOf('event.pending'), { method: 'GET' }, byPlain);
  const { items = [] } = (pending.payload as { data: { items?: { detail_type?: string }[] } }).data;
  for (const event of items) broken.push(`the bus has not taken ${JSON.stringify(event).slice(0, 200)}`);
  await again();

  const file = join(newFolder(), 'accounts.jsonl');
  const lines = Array.from({ length: 2 * BATCH }, (_, n) =>
    JSON.stringify({ ...fullestInput(`of-a-file-${n}`), isactive: n % 2 === 0 }),
  );
  writeFileSync(file, lines.join('\n'));
  for (const words of [['import', file], ['account', 'show', full.account.username], ['export']]) {
    const { code } = await service.command([...words, '--json'], { functions: [], operators: [] });
    answers[`${words.slice(0, 2).join(' ').replace(file, '<file>').slice(0, 20)}`] = `exit ${code}`;
    if (code !== 0) broken.push(`${words[0]}: exit ${code}`);
  }
  for (const fault of service.faults) broken.push(fault);
  await service.close();
  return { answers, broken };

  /** Stores cancelled accounts; a page with names has those that are full. */
  async function storeCancelled(account: Account, count: number) {
    const { teams, roles, apps, passkeys: _, enrolments: __, ended: ___, ...slim } = account;
    // An answer has no names of teams: without them, the engine answers in time.
    const shorts = teams.map((team) => ({ ...team, team_name: 'x', team_type: 'x' }));
    const items = Array.from({ length: count }, (_____, n) => {
      const username = `cancelled-${n}-`.padEnd(128, 'c');
      const cancelled_at = isoOf(runtime.now() - count + n);
      const own = { ...slim, username, isactive: false, cancelled_at, cancelled_by: username };
      const lists = n < 200 ? { teams: shorts, roles, apps } : { teams: [], roles: [], apps: [] };
      return [
        { ...own, ...lists, ...accountKey(username) },
        { ...cancellationKey(username, cancelled_at), cancelled_username: username, cancelled_at },
      ];
    });
    await putAll(table, items.flat());
  }
}
