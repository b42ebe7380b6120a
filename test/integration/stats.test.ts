import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { recordUse } from '#lib/auth/activity';
import { DAY_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { setLastActive } from './last-active.ts';
import { get, noted } from './service.ts';

/** An instance of its own: the numbers are exact, so nobody else may change them. */
let target: Target;
let admin: { token: string; base: string };

/** The counts; `as_of` is at most 11 s ago, since each is of a first page. */
async function stats() {
  const { as_of, ...counts } = (await get('/api/core/account/browse?limit=1', admin)).body.data.stats;
  expect(Date.now() - Date.parse(as_of)).toBeLessThan(12_000);
  return counts;
}
const create = (username: string) => createAccount(target.runtime, { username });

beforeAll(async () => {
  const data = await newFolder();
  const { ready } = await startInstance({ data });
  target = await openTarget({ data });
  admin = { token: noted(ready.admin.token as string), base: ready.url };
});

test('the statistics count every account once, and on the day of its last activity', async () => {
  const began = { count: 1, locked: 0, last_week: 1, today: 1 };
  // The request itself is the first activity of the administrator.
  await expect.poll(stats).toEqual(began);
  for (const daysAgo of [1, 6, 7, 400]) {
    const account = await create(`${daysAgo}-days-ago`);
    await recordUse(target.runtime, account);
    await setLastActive(target.runtime.table, account.username, Date.now() - daysAgo * DAY_MS, Date.now());
  }
  const unused = await create('unused');
  expect(await stats()).toEqual({ ...began, count: 6, last_week: 3 });

  const { value } = await createToken(target.runtime, unused, 'first', target.actor);
  const credential = { token: noted(value as string), base: admin.base };
  await Promise.all(Array.from({ length: 5 }, () => get('/api/core/system/ping', credential)));
  await expect
    .poll(stats, { message: 'however many requests come at once' })
    .toEqual({ ...began, count: 6, last_week: 4, today: 2 });
});
