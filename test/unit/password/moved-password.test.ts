import { hash as bcrypt } from 'bcryptjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { surveyCosts } from '#lib/password/cost';
import { costOf, verifyPassword } from '#lib/password/hash';
import { movePassword, movePasswords, setPassword } from '#lib/password/set-password';
import { formerPasswordKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openLogin, PASSWORD } from '../login/bench.ts';

const { table, wire, runtime, account, hash, logIn, refused, hashOf, operations } = await openLogin();

let cheap: string;
let other: string;
beforeAll(async () => {
  [cheap, other] = await Promise.all([bcrypt(PASSWORD, 4), bcrypt('another', 10)]);
});

interface Hashes {
  readonly own?: string | undefined;
  /** Where earlier versions stored it. */
  readonly former?: string | undefined;
}

async function accountWith({ own, former }: Hashes) {
  const created = await account();
  if (own) await put(table, passwordKey(created.username), { hash: own });
  if (former) await put(table, formerPasswordKey(created.username), { hash: former });
  wire.reset();
  return created;
}
const hashesOf = async (of: { username: string }): Promise<Hashes> => ({
  own: await hashOf(of),
  former: (await get(table, formerPasswordKey(of.username)))?.hash,
});

describe('a login', () => {
  test('moves a hash from where earlier versions stored it', async () => {
    const ada = await accountWith({ former: hash });
    await logIn(ada);
    expect(operations().filter((operation) => operation === 'BatchGetItem')).toHaveLength(1);
    expect(await hashesOf(ada)).toEqual({ own: hash });
    await logIn(ada);
  });

  test('moves it with the cost that is set', async () => {
    const ada = await accountWith({ former: cheap });
    await logIn(ada);
    const { own = '', former } = await hashesOf(ada);
    expect([former, costOf(own)]).toEqual([undefined, 10]);
    expect(await verifyPassword(PASSWORD, own, 10)).toBe(true);
  });

  test('leaves it there when the password is wrong', async () => {
    const ada = await accountWith({ former: hash });
    await refused(ada, 'another');
    expect(await hashesOf(ada)).toEqual({ former: hash });
  });

  test('succeeds when it cannot be removed there, and the next login removes it', async () => {
    const ada = await accountWith({ former: hash });
    wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
    await logIn(ada);
    expect(await hashesOf(ada)).toEqual({ own: hash, former: hash });
    wire.reset();
    await logIn(ada);
    expect(await hashesOf(ada)).toEqual({ own: hash });
  });

  test('prefers the current hash to the former one', async () => {
    const ada = await accountWith({ own: hash, former: other });
    await refused(ada, 'another');
    await logIn(ada);
    expect(await hashesOf(ada)).toEqual({ own: hash });
  });
});

test('a move does not replace the current hash', async () => {
  const ada = await accountWith({ own: other, former: hash });
  await movePassword(table, ada.username, hash);
  expect(await hashesOf(ada)).toEqual({ own: other });
});

test('a new password removes the former hash', async () => {
  const ada = await accountWith({ former: other });
  await setPassword(runtime, ada, PASSWORD);
  const { own, former } = await hashesOf(ada);
  expect([former, await verifyPassword(PASSWORD, own, 10)]).toEqual([undefined, true]);
});

test('a survey counts each account once', async () => {
  const counts = async () => {
    const all = await surveyCosts(table);
    return [4, 10].map((cost) => all.find((each) => each.cost === cost)?.passwords ?? 0) as [number, number];
  };
  const [cheapBefore, dearBefore] = await counts();
  for (const hashes of [{ former: cheap }, { own: hash }, { own: hash, former: cheap }])
    await accountWith(hashes);
  expect(await counts()).toEqual([cheapBefore + 1, dearBefore + 2]);
});

test('a move of all hashes that is cut off is completed by the next', async () => {
  await movePasswords(table);
  const accounts = await Promise.all(Array.from({ length: 5 }, () => accountWith({ former: hash })));
  let left = 3;
  wire.script((operation) => (operation === 'PutItem' && left-- <= 0 ? DOWN : undefined));
  await expect(movePasswords(table)).rejects.toThrow();
  wire.reset();
  // Writes in parallel with the failed one may be repeated only now.
  expect(await movePasswords(table)).toEqual({ moved: expect.toSatisfy((n) => n < 5) });
  for (const each of accounts) expect(await hashesOf(each)).toEqual({ own: hash });
  expect(await movePasswords(table)).toEqual({ moved: 0 });
});
