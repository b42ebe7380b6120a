import { randomBytes } from 'node:crypto';
import { createAccount, type NewAccount } from '#lib/account/create';
import { recordUse } from '#lib/auth/activity';
import { PER_NAME } from '#lib/login/attempts';
import {
  allSlices,
  attemptsFromAddressKey,
  attemptsOnNameKey,
  INDEX_PARTITIONS,
  PARTITIONS,
  SHARDS,
} from '#lib/table/keys';
import { put } from '#lib/table/write';
import { createTeam } from '#lib/team/team';
import { DAY_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { setLastActive } from '../integration/last-active.ts';
import type { Command } from '../wire/dynamodb-proxy.ts';
import { startMeasuredInstance } from './instance.ts';
import { heatOf, LIMITS, type Spread } from './partition-heat.ts';
import type { Benchmark, Row } from './report.ts';
import type { Instance, Subject } from './subjects.ts';

/** Requests of a sample, each of another account: each of 8 shards then gets about 8. */
const SAMPLES = 64;
/** Busiest keys that are reported. */
const KEYS = 4;

interface Scenario {
  readonly name: string;
  /** Requests a second. */
  readonly rate: number;
  /** Prepares the nth request. */
  readonly prepare: (instance: Instance, n: number) => Promise<Subject>;
  readonly samples?: number;
  /** Whether its requests are expected to be refused. */
  readonly isRefused?: true;
}

/** Partitions over which the hash of a username spreads items. */
const SPREADS: readonly Spread[] = [
  { prefix: PARTITIONS.SLICE, partitions: allSlices.length },
  { prefix: `GSI1 ${INDEX_PARTITIONS.ACCOUNTS}`, partitions: SHARDS },
  // The whole sample comes from this address; in the scenario, each request comes from another one.
  { prefix: attemptsFromAddressKey('127.0.0.1').PK, partitions: Number.POSITIVE_INFINITY },
];

const TEAM = 'everybody';
const PASSWORD = 'the-password-of-the-benchmark';
const A_MILLION_IN_TEN_MINUTES = 1_000_000 / 600;

const newAccount = ({ runtime }: Instance, more: Partial<NewAccount> = {}) =>
  createAccount(runtime, { username: `heat-${randomBytes(6).toString('hex')}`, ...more });

/** An account that was last active a day ago. */
async function idle(instance: Instance, more: Partial<NewAccount> = {}) {
  const account = await newAccount(instance, more);
  await setLastActive(instance.runtime.table, account.username, Date.now() - DAY_MS);
  return account;
}

const tokenOf = async ({ runtime, actor }: Instance, account: Awaited<ReturnType<typeof newAccount>>) =>
  (await createToken(runtime, account, 'heat', actor)).value as string;

const get = (path: string, credential: Pick<Subject, 'jwt' | 'token'>): Subject => ({
  method: 'GET',
  path,
  ...credential,
});
const login = (username: string, password: string): Subject => ({
  method: 'POST',
  path: '/api/core/account/login',
  json: { username, password },
});

/** The wrong password that locks a name out: all attempts before it failed from other addresses. */
async function lastAttempt(instance: Instance): Promise<Subject> {
  const { username } = await newAccount(instance, { password: PASSWORD });
  const at = Date.now() - 1000;
  const attempts = Array.from({ length: PER_NAME.max - 1 }, (_, n) => ({
    id: `${n}`,
    at,
    from: `192.0.2.${n}`,
  }));
  await put(instance.runtime.table, attemptsOnNameKey(username), { attempts, revision: 1 });
  return login(username, 'wrong');
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: '1,000,000 accounts active within 10 min',
    rate: A_MILLION_IN_TEN_MINUTES,
    prepare: async (instance) =>
      get('/api/core/system/ping', { token: await tokenOf(instance, await idle(instance)) }),
  },
  {
    name: '1,000,000 logins with API tokens within 10 min',
    rate: A_MILLION_IN_TEN_MINUTES,
    prepare: async (instance) => login('api', await tokenOf(instance, await idle(instance))),
  },
  {
    name: '1,000,000 logins with passwords within 10 min',
    rate: A_MILLION_IN_TEN_MINUTES,
    prepare: async (instance) => login((await idle(instance, { password: PASSWORD })).username, PASSWORD),
    samples: 8,
  },
  {
    name: '1,000,000 lockouts within 15 min',
    rate: 1_000_000 / 900,
    prepare: lastAttempt,
    samples: 8,
    isRefused: true,
  },
  {
    name: 'profiles of one team of 1,000,000 within 10 min',
    rate: A_MILLION_IN_TEN_MINUTES,
    prepare: async (instance, n) => {
      if (n === 0) await createTeam(instance.runtime, { short: TEAM, name: TEAM, type: 'team' });
      const account = await newAccount(instance, { teams: [TEAM] });
      await recordUse(instance.runtime, account);
      return get('/api/core/account/profile', { token: await tokenOf(instance, account) });
    },
  },
  {
    name: '10,000 requests a second of one account',
    rate: 10_000,
    prepare: async ({ jwt }) => get('/api/core/system/ping', { jwt }),
    samples: 8,
  },
  {
    name: '100,000 cancels within an hour',
    rate: 100_000 / 3600,
    prepare: async (instance) => {
      const { username } = await newAccount(instance);
      return { method: 'POST', path: `/api/core/account/cancel/${username}`, jwt: instance.jwt };
    },
  },
];

/** Estimates the units a second of the busiest partition keys from the commands of a sample of real requests. */
export const heat: Benchmark = async ({ tell }) => {
  await using open = new AsyncDisposableStack();
  const { instance, commandsOf } = open.adopt(await startMeasuredInstance(), ({ stop }) => stop());
  const rows: Row[] = [];
  for (const { name, rate, prepare, samples = SAMPLES, isRefused } of SCENARIOS) {
    tell(name);
    const subjects: Subject[] = [];
    for (let n = 0; n <= samples; n++) subjects.push(await prepare(instance, n));
    const requests: (readonly Command[])[] = [];
    for (const subject of subjects) requests.push(await commandsOf(subject, isRefused));
    // The first request also reads keys and settings, once per execution environment.
    for (const { key, reads, writes } of heatOf(requests.slice(1), rate, SPREADS).slice(0, KEYS))
      rows.push([`${name}: ${key}`, reads, reads / LIMITS.reads, writes, writes / LIMITS.writes]);
  }
  return {
    title: `Units a second of the busiest partition keys, by ${SAMPLES} requests each; the limits of a key are ${LIMITS.reads} reads and ${LIMITS.writes} writes.`,
    columns: ['reads a second', 'of its limit', 'writes a second', 'of its limit'],
    rows,
  };
};
