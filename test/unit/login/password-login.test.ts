import { hash as bcrypt } from 'bcryptjs';
import { expect, test } from 'vitest';
import { verifyPassword } from '#lib/password/hash';
import { costOf } from '#lib/password/imported';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { DAY_MS, withoutZone } from '#lib/time';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { COST, NOON } from '../support/engine.ts';
import { MINE, MINUTE, openLogin, PASSWORD, WRONG } from './bench.ts';

const { table, wire, hash, logIn, refused, user, listOf, hashOf } = await openLogin();

const costlier = await bcrypt(PASSWORD, COST + 1);

test('a login succeeds although only its reservations can be written', async () => {
  const ada = await user({ lastActivity: withoutZone(NOON - DAY_MS) }, costlier);
  let writes = 0;
  wire.script((operation) => {
    if (!/Put|Update|Transact/.test(operation)) return undefined;
    writes += 1;
    return writes > 3 ? DOWN : undefined;
  });
  expect((await logIn(ada)).id).toBe(ada.id);
  expect(writes).toBeGreaterThan(6);
});

test('a login that fails keeps its places when its outcome cannot be written', async () => {
  const ada = await user();
  let writes = 0;
  wire.script((operation) => (operation === 'PutItem' && ++writes > 3 ? DOWN : undefined));
  await refused(ada, WRONG);
  wire.reset();
  expect((await listOf('pair', ada))?.attempts).toEqual([{ ...MINE, pending: true }]);
});

test('the activity of an account is written by a login a minute after the last', async () => {
  const ada = await user({ lastActivity: withoutZone(NOON - MINUTE) });
  await logIn(ada);
  const activity = async () => (await get(table, accountKey(ada.username)))?.lastActivity;
  await expect.poll(activity).toBe(withoutZone(NOON));
});

test('the hash of a password is recreated by a login when its cost is not the one that is set', async () => {
  const ada = await user({}, costlier);
  await logIn(ada);
  const created = (await hashOf(ada)) as string;
  expect(costOf(created)).toBe(COST);
  expect(await verifyPassword(PASSWORD, created, 10)).toBe(true);
});

test('the hash of a password stays when it was set during the login', async () => {
  const ada = await user();
  wire.script((operation, input) =>
    operation === 'BatchGetItem'
      ? { input, answer: (body) => JSON.parse(JSON.stringify(body).replace(hash, costlier)) as object }
      : undefined,
  );
  await logIn(ada);
  expect(wire.commands.filter(({ needs }) => needs.includes('table:PutItem:PASSWORD'))).toHaveLength(1);
  expect(await hashOf(ada)).toBe(hash);
});
