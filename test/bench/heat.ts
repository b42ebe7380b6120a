import { randomBytes } from 'node:crypto';
import { createAccount } from '#lib/account/create';
import { accountKey, directoryIndex } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import { startMeasuredInstance } from '../cost/measured-instance.ts';
import { type Instance, type Subject, send } from '../cost/subjects.ts';
import type { Command } from '../wire/dynamodb-proxy.ts';
import { type Heat, heatOf, LIMITS } from './partition-heat.ts';
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
}

const newAccount = ({ runtime }: Instance) =>
  createAccount(runtime, { username: `heat-${randomBytes(6).toString('hex')}` });

/** A ping by the token of an account that was last active some days ago. */
async function firstOfTheDay(instance: Instance): Promise<Subject> {
  const { runtime, actor } = instance;
  const account = await newAccount(instance);
  await update(runtime.table, {
    Key: accountKey(account.username),
    UpdateExpression: 'SET lastActivity = :then, never_used = :false',
    ExpressionAttributeValues: { ':then': withoutZone(Date.now() - DAY_MS), ':false': false },
  });
  const { value } = await createToken(runtime, account, 'heat', actor);
  return { method: 'GET', path: '/api/core/system/ping', token: value as string };
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
    for (const { name, rate, prepare, samples = SAMPLES } of SCENARIOS) {
      tell(name);
      const subjects: Subject[] = [];
      for (let n = 0; n < samples; n++) subjects.push(await prepare(instance, n));
      // Keys and settings that an execution environment reads once are none of a request.
      await send(instance.url, await prepare(instance, samples));
      await wire.settled();
      const requests: (readonly Command[])[] = [];
      for (const subject of subjects) {
        reset();
        await send(instance.url, subject);
        await wire.settled();
        requests.push([...wire.table]);
      }
      rows.push(
        ...heatOf(requests, rate, directoryIndex)
          .slice(0, 4)
          .map((one) => rowOf(name, one)),
      );
    }
    return {
      title: `Units a second of the busiest partition keys, by ${SAMPLES} requests each; DynamoDB takes ${LIMITS.reads} reads and ${LIMITS.writes} writes of a key. The last column is how many transactions are at work on its busiest item at once, if each takes 10 ms: from about 0.1 on they cancel each other.`,
      columns: ['reads a second', 'of its limit', 'writes a second', 'of its limit', 'transactions at once'],
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
];
