import { randomBytes } from 'node:crypto';
import { createAccount, type NewAccount } from '#lib/account/create';
import { createTeam } from '#lib/account/team';
import { recordUse } from '#lib/auth/activity';
import type { Account } from '#lib/item/account';
import { PER_NAME } from '#lib/login/attempts';
import {
  allSlices,
  attemptsFromAddressKey,
  attemptsOnNameKey,
  directoryIndex,
  INDEX_PARTITIONS,
  PARTITIONS,
  SHARDS,
} from '#lib/table/keys';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { startMeasuredInstance } from '../cost/measured-instance.ts';
import { type Instance, type Subject, send } from '../cost/subjects.ts';
import { setLastActive } from '../last-active.ts';
import type { Command } from '../wire/dynamodb-proxy.ts';
import { attemptsAt } from './collisions.ts';
import { type Heat, heatOf, LIMITS, type Spread } from './partition-heat.ts';
import type { Benchmark, Row } from './report.ts';

/** Requests that are looked at, each of an account of its own: enough to meet each of 8 shards about 8 times. */
const SAMPLES = 64;

const DAY_MS = 86_400_000;

interface Scenario {
  readonly name: string;
  /** Requests a second. */
  readonly rate: number;
  /** Prepares the nth request. */
  readonly prepare: (instance: Instance, n: number) => Promise<Subject>;
  /** Requests that are looked at; {@link SAMPLES} unless told. */
  readonly samples?: number;
  /** Its requests are refused, as they should be. */
  readonly isRefused?: true;
}

/** What usernames are spread over by their hash. */
const SPREADS: readonly Spread[] = [
  { prefix: PARTITIONS.SLICE, partitions: allSlices.length },
  { prefix: `GSI1 ${INDEX_PARTITIONS.ACCOUNTS}`, partitions: SHARDS },
  // The whole sample comes from this address, and nobody else does.
  { prefix: attemptsFromAddressKey('127.0.0.1').PK, partitions: Number.POSITIVE_INFINITY },
];

const TEAM = 'everybody';
const PASSWORD = 'the-password-of-the-benchmark';

const newAccount = ({ runtime }: Instance, more: Partial<NewAccount> = {}) =>
  createAccount(runtime, { username: `heat-${randomBytes(6).toString('hex')}`, ...more });

/** An account that was last active some days ago. */
async function idle(instance: Instance, more: Partial<NewAccount> = {}): Promise<Account> {
  const account = await newAccount(instance, more);
  await setLastActive(instance.runtime.table, account.username, Date.now() - DAY_MS);
  return account;
}

/** A ping by the token of an idle account. */
async function firstOfTheDay(instance: Instance): Promise<Subject> {
  const { runtime, actor } = instance;
  const account = await idle(instance);
  const { value } = await createToken(runtime, account, 'heat', actor);
  return { method: 'GET', path: '/api/core/system/ping', token: value as string };
}

/** The wrong password that locks a name out: 49 have failed before, each from another address. */
async function lastGuess(instance: Instance): Promise<Subject> {
  const { username } = await newAccount(instance, { password: PASSWORD });
  const attempts = Array.from({ length: PER_NAME.max - 1 }, (_, n) => ({
    id: `${n}`,
    at: Date.now() - 1000,
    from: `192.0.2.${n}`,
  }));
  await put(instance.runtime.table, attemptsOnNameKey(username), { attempts, revision: 1 });
  return { method: 'POST', path: '/api/core/account/login', json: { username, password: 'wrong' } };
}

const SCENARIOS: readonly Scenario[] = [
  { name: '1,000,000 accounts active within 10 min', rate: 1_000_000 / 600, prepare: firstOfTheDay },
  {
    name: 'as many log in, with API tokens',
    rate: 1_000_000 / 600,
    prepare: async (instance) => {
      const { token } = await firstOfTheDay(instance);
      const json = { username: 'api', password: token };
      return { method: 'POST', path: '/api/core/account/login', json };
    },
  },
  {
    name: 'as many log in, with passwords',
    rate: 1_000_000 / 600,
    prepare: async (instance) => {
      const { username } = await idle(instance, { password: PASSWORD });
      const json = { username, password: PASSWORD };
      return { method: 'POST', path: '/api/core/account/login', json };
    },
    samples: 8,
  },
  {
    name: '1,000,000 lockouts within 15 min',
    rate: 1_000_000 / 900,
    prepare: lastGuess,
    samples: 8,
    isRefused: true,
  },
  {
    name: 'one team of 1,000,000, whose profiles are read within 10 min',
    rate: 1_000_000 / 600,
    prepare: async (instance, n) => {
      const { runtime, actor } = instance;
      if (n === 0) await createTeam(runtime, { short: TEAM, name: TEAM, type: 'team' });
      const account = await newAccount(instance, { teams: [TEAM] });
      await recordUse(runtime, account);
      const { value } = await createToken(runtime, account, 'heat', actor);
      return { method: 'GET', path: '/api/core/account/profile', token: value as string };
    },
  },
  {
    name: 'one account, 10,000 requests a second',
    rate: 10_000,
    prepare: async ({ jwt }) => ({ method: 'GET', path: '/api/core/system/ping', jwt }),
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

/**
 * How many requests a second the busiest keys of a scenario get, by the commands of a sample of real requests: keys that
 * several of them meet get their share of all, others are those of one account.
 */
export const heat: Benchmark = async ({ tell }) => {
  const { instance, wire, reset, stop } = await startMeasuredInstance();
  try {
    const rows: Row[] = [];
    for (const { name, rate, prepare, samples = SAMPLES, isRefused } of SCENARIOS) {
      const request = (subject: Subject) =>
        send(instance.url, subject).catch((error) => {
          if (!isRefused) throw error;
        });
      tell(name);
      const subjects: Subject[] = [];
      for (let n = 0; n < samples; n++) subjects.push(await prepare(instance, n));
      // Keys and settings that an execution environment reads once are none of a request.
      await request(await prepare(instance, samples));
      await wire.settled();
      const requests: (readonly Command[])[] = [];
      for (const subject of subjects) {
        reset();
        await request(subject);
        await wire.settled();
        requests.push([...wire.table]);
      }
      rows.push(
        ...heatOf(requests, rate, directoryIndex, SPREADS)
          .slice(0, 4)
          .map((one) => rowOf(name, one)),
      );
    }
    return {
      title: `Units a second of the busiest partition keys, by ${SAMPLES} requests each; DynamoDB takes ${LIMITS.reads} reads and ${LIMITS.writes} writes of a key. Then how many transactions are at work on its busiest item at once, if each takes 10 ms, and how often each is sent until it is not cancelled by another.`,
      columns: [
        'reads a second',
        'of its limit',
        'writes a second',
        'of its limit',
        'transactions at once',
        'sent',
      ],
      rows,
    };
  } finally {
    await stop();
  }
};

const rowOf = (name: string, { key, reads, writes, overlap }: Heat): Row => [
  `${name}: ${key}`,
  reads,
  reads / LIMITS.reads,
  writes,
  writes / LIMITS.writes,
  overlap,
  attemptsAt(overlap),
];
