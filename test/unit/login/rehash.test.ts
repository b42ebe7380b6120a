import { hash as bcrypt } from 'bcryptjs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { verifyPasswordOf } from '#lib/login/password-login';
import { costOf, verifyPassword } from '#lib/password/hash';
import { accountKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';

const { table, wire, runtime, account } = await openTestTable();
const HERE = '192.0.2.1';
const PASSWORD = 'correct horse';

let hash: string;
beforeAll(async () => {
  hash = await bcrypt(PASSWORD, 10);
});

/** An account with a password, and whatever else is told of it. */
async function user(part: Partial<Account> = {}): Promise<Account> {
  const item = { ...(await account()), ...part };
  await put(table, accountKey(item.username), item);
  await put(table, passwordKey(item.username), { hash });
  wire.reset();
  return item;
}

const logIn = ({ username }: { username: string }, password = PASSWORD) =>
  verifyPasswordOf(runtime, username, password, HERE);
const invalid = { code: 'invalid_credentials' };
const refused = (of: { username: string }, password?: string) =>
  expect(logIn(of, password)).rejects.toMatchObject(invalid);

const writesTo = (need: string) => wire.commands.filter(({ needs }) => needs.includes(need)).length;

describe('a hash', () => {
  const hashOf = async ({ username }: Account) => (await get(table, passwordKey(username)))?.hash as string;
  let cheap: string;
  beforeAll(async () => {
    cheap = await bcrypt(PASSWORD, 4);
  });

  test('of another cost is made again by a login', async () => {
    const ada = await user();
    await put(table, passwordKey(ada.username), { hash: cheap });
    await logIn(ada);
    const made = await hashOf(ada);
    expect(costOf(made)).toBe(10);
    expect(await verifyPassword(PASSWORD, made, 10)).toBe(true);
  });

  test('of the cost that is set stays as it is', async () => {
    const ada = await user();
    await logIn(ada);
    expect(await hashOf(ada)).toBe(hash);
    expect(writesTo('table:PutItem:PASSWORD')).toBe(0);
  });

  test('stays as it is where the password is wrong', async () => {
    const ada = await user();
    await put(table, passwordKey(ada.username), { hash: cheap });
    await refused(ada, 'wrong password');
    expect(await hashOf(ada)).toBe(cheap);
  });

  test('that was set during the login stays as it is', async () => {
    const ada = await user();
    wire.script((operation, input) =>
      operation === 'BatchGetItem'
        ? { input, answer: (body) => JSON.parse(JSON.stringify(body).replace(hash, cheap)) as object }
        : undefined,
    );
    await logIn(ada);
    expect(writesTo('table:PutItem:PASSWORD')).toBe(1);
    expect(await hashOf(ada)).toBe(hash);
  });
});
