import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { readAccount } from '#lib/account/account';
import { createAccount } from '#lib/account/create';
import { recordUse } from '#lib/auth/activity';
import type { Account } from '#lib/item/account';
import { lockForATime } from '#lib/login/lockout';
import { accountKey } from '#lib/table/keys';
import { withoutZone } from '#lib/time';
import { createToken } from '#lib/token/create';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { documentsOf } from '../document-client.ts';
import { setLastActive } from '../last-active.ts';
import { newFolder } from './folder.ts';
import { type InstanceProcess, startInstance } from './instance-process.ts';
import { get, noted, post } from './service.ts';

/** An instance of its own: the numbers are exact, so nobody else may change them. */
const data = await newFolder();
let instance: InstanceProcess;
let target: Target;
let admin: { token: string; base: string };

const DAY = 86_400_000;
/** The counts; `as_of` is at most 11 s ago, since each is of a first page. */
async function stats() {
  const { as_of, ...counts } = (await get('/api/core/account/browse?limit=1', admin)).body.data.stats;
  expect(Date.now() - Date.parse(as_of)).toBeLessThan(12_000);
  return counts;
}
const create = (username: string) => createAccount(target.runtime, { username });
/** An account that somebody has used today. */
async function createUsed(username: string): Promise<Account> {
  const account = await create(username);
  await recordUse(target.runtime, account);
  return account;
}

beforeAll(async () => {
  instance = await startInstance({ data });
  target = await openTarget({ data });
  admin = { token: noted(instance.ready.admin.token as string), base: instance.ready.url };
});

/** Makes an account that was used today as it is when its owner has not come back since. */
const lastActive = ({ username }: Account, daysAgo: number) =>
  setLastActive(target.runtime.table, username, Date.now() - daysAgo * DAY, Date.now());

test('count every account once, and on the day of its last activity', async () => {
  const began = Date.now();
  const alone = { count: 1, locked: 0, last_week: 1, today: 1 };
  // The request itself is the first activity of the administrator.
  await expect.poll(stats).toEqual(alone);
  await Promise.all(['unused-1', 'unused-2'].map(create));
  expect(await stats(), 'what nobody has used').toEqual({ ...alone, count: 3 });
  const accounts = await Promise.all(['yesterday', 'six-days', 'seven-days', 'long-ago'].map(createUsed));
  expect(await stats()).toEqual({ count: 7, locked: 0, last_week: 5, today: 5 });
  await Promise.all([1, 6, 7, 400].map((days, index) => lastActive(accounts[index] as Account, days)));
  expect(await stats()).toEqual({ count: 7, locked: 0, last_week: 3, today: 1 });

  const back = accounts[3] as Account;
  const token = noted((await createToken(target.runtime, back, 'back', target.actor)).value as string);
  await Promise.all(
    Array.from({ length: 5 }, () => get('/api/core/system/ping', { token, base: admin.base })),
  );
  await expect.poll(stats, { message: 'however many requests come back at once' }).toEqual({
    count: 7,
    locked: 0,
    last_week: 4,
    today: 2,
  });
  const { lastActivity } = (await readAccount(target.runtime.table, 'long-ago')) as Account;
  expect(Date.parse(`${lastActivity}Z`)).toBeGreaterThanOrEqual(began);
});

test('an account counts from its first use on, which is noted at once', async () => {
  const before = await stats();
  const account = await create('first-use');
  const unused = async () => {
    const { items } = (await get('/api/core/account/browse?never_used=true', admin)).body.data;
    return items.map(({ username }: { username: string }) => username);
  };
  expect(await unused()).toContain('first-use');
  expect(await stats()).toEqual({ ...before, count: before.count + 1 });
  const token = noted((await createToken(target.runtime, account, 'first', target.actor)).value as string);
  await Promise.all(
    Array.from({ length: 3 }, () => get('/api/core/system/ping', { token, base: admin.base })),
  );
  const after = {
    ...before,
    count: before.count + 1,
    last_week: before.last_week + 1,
    today: before.today + 1,
  };
  await expect.poll(stats).toEqual(after);
  expect(await unused()).not.toContain('first-use');
});

test('count the locked, whichever way they are locked, while they are', async () => {
  const change = (verb: string, username: string) => post(`/api/core/account/${verb}/${username}`, admin);
  await Promise.all([create('locked-1'), create('locked-2')]);
  await Promise.all(Array.from({ length: 5 }, () => change('lock', 'locked-1')));
  expect((await stats()).locked).toBe(1);
  await lockForATime(target.runtime, 'locked-2', Date.now());
  expect((await stats()).locked).toBe(2);
  await change('lock', 'locked-2');
  expect((await stats()).locked, 'a lockout for a time that an administrator made lasting').toBe(2);
  await change('unlock', 'locked-2');
  expect((await stats()).locked).toBe(1);

  await lockForATime(
    { ...target.runtime, now: () => Date.now() - 15 * 60_000 - 10_000 },
    'locked-2',
    Date.now(),
  );
  expect((await stats()).locked, 'a lockout that has ended').toBe(1);
  await lockForATime(target.runtime, 'locked-2', Date.now());
  expect((await stats()).locked).toBe(2);
  await Promise.all(['locked-1', 'locked-2', 'locked-2'].map((username) => change('unlock', username)));
  expect((await stats()).locked).toBe(0);
});

test('activity within a minute is not written again', async () => {
  const account = await createUsed('busy');
  const token = noted((await createToken(target.runtime, account, 'busy', target.actor)).value as string);
  const used = (await readAccount(target.runtime.table, 'busy')) as Account;
  for (let n = 0; n < 3; n++) await get('/api/core/system/ping', { token, base: admin.base });
  const { lastActivity } = (await readAccount(target.runtime.table, 'busy')) as Account;
  expect(lastActivity).toBe(used.lastActivity);

  const earlier = withoutZone(Date.now() - 61_000);
  await documentsOf(target.runtime.table).send(
    new UpdateCommand({
      TableName: target.runtime.table.name,
      Key: accountKey('busy'),
      UpdateExpression: 'SET lastActivity = :at',
      ExpressionAttributeValues: { ':at': earlier },
    }),
  );
  const reply = await post('/api/core/account/login', {
    base: admin.base,
    json: { username: 'api', password: token },
  });
  await get('/api/core/system/uuid', { jwt: noted(reply.body.data.JWTtoken), base: admin.base });
  const lastActivityNow = async () =>
    ((await readAccount(target.runtime.table, 'busy')) as Account).lastActivity;
  await expect.poll(lastActivityNow).not.toBe(earlier);
});
