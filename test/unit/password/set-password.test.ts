import { expect, test } from 'vitest';
import { setPassword } from '#lib/password/set-password';
import { accountKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { COST, openTestTable } from '../support/engine.ts';

const { table, runtime, account, operations, wire } = await openTestTable();

const NEW = 'battery staple';
const GONE = { code: 'account_not_found' };
const stored = (username: string) => get(table, accountKey(username));
const passwordOf = (username: string) => get(table, passwordKey(username));

test('a new password is stored for an account without one, with the cost that is set and nothing else', async () => {
  const settings = { ...runtime.settings, BcryptCost: COST + 1 };
  await setPassword({ ...runtime, settings }, await account({ username: 'With.Case' }), NEW);
  const hash = expect.stringContaining(`$2b$0${COST + 1}$`);
  expect(await passwordOf('with.case')).toEqual({ PK: 'PASSWORD#with.case', SK: 'PASSWORD', hash });
});

test('a new password is not stored for another account of the same name', async () => {
  const gone = await account();
  await remove(table, accountKey(gone.username));
  const { username, id, stamp } = await account({ username: gone.username });
  await expect(setPassword(runtime, gone, NEW)).rejects.toMatchObject(GONE);
  expect(await passwordOf(username)).toBeUndefined();
  expect(await stored(username)).toMatchObject({ id, stamp });
});

test('a new password is refused without a command when it is the username in another case', async () => {
  const before = await account();
  wire.reset();
  const failure = { code: 'invalid_request', errors: [{ field: 'password' }] };
  await expect(setPassword(runtime, before, before.username.toUpperCase())).rejects.toMatchObject(failure);
  expect(operations()).toEqual([]);
});
