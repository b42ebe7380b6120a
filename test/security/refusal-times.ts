import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import bcrypt from 'bcryptjs';
import { createAccount } from '#lib/account/create';
import { passwordKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { openTarget } from '../../infra/admin/target.ts';
import { bundle } from '../../infra/bundle.ts';
import { startInstance } from '../integration/instance-process.ts';

/**
 * Measures whether the time of a refusal tells an account from a name without one, once the cost of passwords was
 * lowered or raised. Prints one line of JSON: the medians in milliseconds, and how often one is the other.
 */
const { values } = parseArgs({ options: { tries: { type: 'string', default: '200' } } });
const TRIES = Number(values.tries);

/** A name is locked out after 50. */
const TRIES_A_NAME = 40;

/** Each from an address of its own, of the 16 million that loopback has on Linux: an address may fail 50 times. */
function tryFrom(localAddress: string, url: string, username: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/core/account/login`,
      {
        method: 'POST',
        localAddress,
        agent: new Agent(),
        headers: { 'content-type': 'application/json' },
      },
      (answer) => {
        answer.resume().once('end', () => resolve(performance.now() - start));
        if (answer.statusCode !== 401) reject(new Error(`login answered ${answer.statusCode}`));
      },
    );
    sent.once('error', reject).end(JSON.stringify({ username, password: 'wrong-password' }));
  });
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number;

/** The medians of both kinds of name, where passwords are set to one cost and an account has a hash of another. */
async function measure(setting: number, cost: number) {
  const data = await mkdtemp(join(tmpdir(), 'core-account-times-'));
  const instance = await startInstance({ data, env: { Settings__BcryptCost: `${setting}` } });
  const { runtime } = await openTarget({ data });
  const hash = await bcrypt.hash(randomBytes(12).toString('hex'), cost);
  const times = { account: [] as number[], unknown: [] as number[] };
  for (let tried = 0; tried < TRIES; tried++) {
    const n = Math.floor(tried / TRIES_A_NAME);
    if (tried % TRIES_A_NAME === 0) {
      await createAccount(runtime, { username: `account-${n}` });
      await put(runtime.table, passwordKey(`account-${n}`), { hash });
      // It finds the function warm, and the cost of the hash noted.
      await tryFrom(`127.1.${n}.1`, instance.ready.url, `account-${n}`);
    }
    const from = `127.2.${tried >> 8}.${(tried % 250) + 1}`;
    for (const kind of ['account', 'unknown'] as const)
      times[kind].push(await tryFrom(from, instance.ready.url, `${kind}-${n}`));
  }
  runtime.table.client.destroy();
  await instance.stop();
  await rm(data, { recursive: true });
  const [account, unknown] = [median(times.account), median(times.unknown)];
  return {
    tries: TRIES,
    account: Math.round(account),
    unknown: Math.round(unknown),
    ratio: Number((Math.max(account, unknown) / Math.min(account, unknown)).toFixed(3)),
  };
}

await bundle();
const lowered = await measure(10, 12);
const raised = await measure(12, 10);
console.log(JSON.stringify({ lowered, raised }));
