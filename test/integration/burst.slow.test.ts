import { expect, test } from 'vitest';
import { isUnused, lastActive } from '#lib/account/account';
import { createAccount } from '#lib/account/create';
import { inParallel } from '#lib/in-parallel';
import { isLocked } from '#lib/item/account';
import { lockForATime } from '#lib/login/lockout';
import { DIRECTORY } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { DAY_MS, startOfDay } from '#lib/time';
import { createToken } from '#lib/token/create';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { setLastActive } from './last-active.ts';
import { get, noted, post } from './service.ts';

/** The numbers are exact, so no other test may use the instance. */
const data = await newFolder();
const instance = await startInstance({ data });
const { runtime, actor } = await openTarget({ data });
const { table } = runtime;
const base = instance.ready.url;
const admin = { token: noted(instance.ready.admin.token as string), base };

const ACCOUNTS = 300;
/** Parallel requests that the engine is fastest with. */
const AT_ONCE = 50;

/** An account that was last active yesterday, and a token of it. */
async function ofYesterday(n: number): Promise<string> {
  const account = await createAccount(runtime, { username: `burst-${n}` });
  await setLastActive(table, account.username, Date.now() - DAY_MS);
  const { value } = await createToken(runtime, account, 'burst', actor);
  return noted(value as string);
}

const stats = async () => (await get('/api/core/account/browse?limit=1', admin)).body.data.stats;

/** The statistics, counted from the accounts. */
async function recomputed() {
  const now = Date.now();
  const totals = { count: 0, locked: 0, last_week: 0, today: 0 };
  for await (const accounts of everythingIn(table, DIRECTORY, 1000))
    for (const account of accounts) {
      const [active, used] = [lastActive(account), !isUnused(account)];
      totals.count += 1;
      totals.locked += Number(isLocked(account, now));
      totals.last_week += Number(used && active >= startOfDay(now) - 6 * DAY_MS);
      totals.today += Number(used && active >= startOfDay(now));
    }
  return totals;
}

test('each of 300 accounts is counted once by its parallel first requests of a day', async () => {
  const numbers = Array.from({ length: ACCOUNTS }, (_, n) => n);
  const tokens = await inParallel(numbers, ofYesterday, AT_ONCE);
  await expect.poll(stats).toMatchObject({ count: ACCOUNTS + 1, last_week: ACCOUNTS + 1, today: 1 });
  const ping = async (token: string) => (await get('/api/core/system/ping', { token, base })).status;
  const statuses = await inParallel([...tokens, ...tokens], ping, AT_ONCE);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await expect
    .poll(stats)
    .toMatchObject({ count: ACCOUNTS + 1, last_week: ACCOUNTS + 1, today: ACCOUNTS + 1 });
  expect(await stats()).toMatchObject(await recomputed());
});

test('parallel lockouts, locks and unlocks leave the count of the accounts', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `burst-${n}`);
  const change = (verb: string, username: string) => post(`/api/core/account/${verb}/${username}`, admin);
  // A call to the engine fails after three waits of a second, which 160 calls at once have reached.
  const changeInParallel = (username: string, n: number) =>
    Promise.all([
      lockForATime(runtime, username, undefined, Date.now()),
      lockForATime(runtime, username, undefined, Date.now()),
      ...(n % 3 === 0 ? [change('lock', username)] : []),
      ...(n % 3 === 1 ? [change('unlock', username)] : []),
    ]);
  await inParallel(names, changeInParallel, AT_ONCE / 5);
  const { locked } = await recomputed();
  expect(locked).toBeGreaterThanOrEqual(40);
  expect((await stats()).locked).toBe(locked);
});
