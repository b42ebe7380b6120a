import { hash as bcrypt } from 'bcryptjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyPasswordOf } from '#lib/login/password-login';
import { surveyCosts } from '#lib/password/cost';
import { costOf, verifyPassword } from '#lib/password/hash';
import { movePassword, movePasswords, setPassword } from '#lib/password/set-password';
import { formerPasswordKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';

const { table, wire, runtime, account } = await openTestTable();
const PASSWORD = 'correct horse';

let hash: string;
let cheap: string;
let other: string;
beforeAll(async () => {
  [hash, cheap, other] = await Promise.all([
    bcrypt(PASSWORD, 10),
    bcrypt(PASSWORD, 4),
    bcrypt('another', 10),
  ]);
});

/** An account with hashes where they stand now, and where earlier versions kept them. */
async function user({ own, former }: { own?: string; former?: string }): Promise<string> {
  const { username } = await account();
  if (own) await put(table, passwordKey(username), { hash: own });
  if (former) await put(table, formerPasswordKey(username), { hash: former });
  wire.reset();
  return username;
}

const logIn = (username: string, password = PASSWORD) =>
  verifyPasswordOf(runtime, username, password, '192.0.2.1');
const hashesOf = async (username: string) => ({
  own: (await get(table, passwordKey(username)))?.hash,
  former: (await get(table, formerPasswordKey(username)))?.hash,
});

describe('a login finds a hash where earlier versions kept it', () => {
  test('and moves it', async () => {
    const ada = await user({ former: hash });
    await expect(logIn(ada)).resolves.toMatchObject({ username: ada });
    expect(await hashesOf(ada)).toEqual({ own: hash });
    expect(wire.commands.filter(({ operation }) => operation === 'BatchGetItem')).toHaveLength(1);
    await expect(logIn(ada)).resolves.toMatchObject({ username: ada });
  });

  test('and moves it hashed anew where the cost is another', async () => {
    const ada = await user({ former: cheap });
    await logIn(ada);
    const { own = '', former } = await hashesOf(ada);
    expect(former).toBeUndefined();
    expect(costOf(own)).toBe(10);
    expect(await verifyPassword(PASSWORD, own, 10)).toBe(true);
  });

  test('and leaves it there where the password is wrong', async () => {
    const ada = await user({ former: hash });
    await expect(logIn(ada, 'another')).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await hashesOf(ada)).toEqual({ former: hash });
  });

  test('and lets in although it cannot be moved, which the next login does', async () => {
    const ada = await user({ former: hash });
    wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
    await logIn(ada);
    expect(await hashesOf(ada)).toEqual({ own: hash, former: hash });
    wire.reset();
    await logIn(ada);
    expect(await hashesOf(ada)).toEqual({ own: hash });
  });
});

describe('a hash that has its place', () => {
  test('wins over one of earlier versions', async () => {
    const ada = await user({ own: hash, former: other });
    await expect(logIn(ada, 'another')).rejects.toMatchObject({ code: 'invalid_credentials' });
    await logIn(ada);
    expect(await hashesOf(ada)).toEqual({ own: hash });
  });

  test('is not replaced by one that is moved beside it', async () => {
    const ada = await user({ own: other, former: hash });
    await movePassword(table, ada, hash);
    expect(await hashesOf(ada)).toEqual({ own: other });
  });
});

test('a password that is set is the only one', async () => {
  const ada = await account();
  await put(table, formerPasswordKey(ada.username), { hash: other });
  await setPassword(runtime, ada, PASSWORD);
  const { own, former } = await hashesOf(ada.username);
  expect(former).toBeUndefined();
  expect(await verifyPassword(PASSWORD, own, 10)).toBe(true);
});

describe('all hashes', () => {
  test('are counted once, wherever they stand', async () => {
    const before = new Map((await surveyCosts(table)).map(({ cost, passwords }) => [cost, passwords]));
    await user({ former: cheap });
    await user({ own: hash });
    await user({ own: hash, former: cheap });
    const after = new Map((await surveyCosts(table)).map(({ cost, passwords }) => [cost, passwords]));
    const more = (cost: number) => (after.get(cost) ?? 0) - (before.get(cost) ?? 0);
    expect([more(4), more(10)]).toEqual([1, 2]);
  });

  test('are moved at once, the rest by the next call where one is cut off', async () => {
    await movePasswords(table);
    const names = await Promise.all(Array.from({ length: 5 }, () => user({ former: hash })));
    let left = 3;
    wire.script((operation) => (operation === 'PutItem' && left-- <= 0 ? DOWN : undefined));
    await expect(movePasswords(table)).rejects.toThrow();
    wire.reset();
    // What was sent beside the write that failed may be sent again only now.
    expect(await movePasswords(table)).toEqual({ moved: expect.toSatisfy((n) => n < 5) });
    for (const name of names) expect(await hashesOf(name)).toEqual({ own: hash });
    expect(await movePasswords(table)).toEqual({ moved: 0 });
  });
});
