import { hash as bcrypt } from 'bcryptjs';
import { expect, test } from 'vitest';
import { costOf, verifyPassword } from '#lib/password/hash';
import { movePassword, movePasswords, setPassword } from '#lib/password/set-password';
import { formerPasswordKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { openLogin, PASSWORD } from '../login/bench.ts';
import { COST } from '../support/engine.ts';

const { table, wire, runtime, account, hash, logIn, refused, hashOf, operations } = await openLogin();

const [cheap, OTHER] = await Promise.all([bcrypt(PASSWORD, 4), bcrypt('another', COST)]);

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

type Owner = Awaited<ReturnType<typeof accountWith>>;
const BOTH = { own: hash, former: OTHER };
const move = ({ username }: Owner) => movePassword(table, username, OTHER);
const withWrong = (of: Owner) => refused(of, 'another');

test.each<[string, Hashes, (of: Owner) => Promise<unknown>, Hashes]>([
  ['a login moves a hash from where earlier versions stored it', { former: hash }, logIn, { own: hash }],
  ['a login leaves it there when the password is wrong', { former: hash }, withWrong, { former: hash }],
  ['a login prefers the current hash', BOTH, logIn, { own: hash }],
  ['a login refuses the former password when there is a current one', BOTH, withWrong, BOTH],
  ['a move does not replace the current hash', BOTH, move, { own: hash }],
])('%s', async (_title, before, act, after) => {
  const ada = await accountWith(before);
  await act(ada);
  expect(operations().filter((operation) => operation === 'BatchGetItem').length).toBeLessThan(2);
  expect(await hashesOf(ada)).toEqual(after);
});

test('a login moves a former hash with the cost that is set', async () => {
  const ada = await accountWith({ former: cheap });
  await logIn(ada);
  const { own = '', former } = await hashesOf(ada);
  expect([former, costOf(own)]).toEqual([undefined, COST]);
  expect(await verifyPassword(PASSWORD, own, COST)).toBe(true);
});

test('a login succeeds when it cannot remove the former hash, and the next removes it', async () => {
  const ada = await accountWith({ former: hash });
  wire.script((operation) => (operation === 'UpdateItem' ? DOWN : undefined));
  await logIn(ada);
  expect(await hashesOf(ada)).toEqual({ own: hash, former: hash });
  wire.reset();
  await logIn(ada);
  expect(await hashesOf(ada)).toEqual({ own: hash });
});

test('a new password removes the former hash', async () => {
  const ada = await accountWith({ former: OTHER });
  await setPassword(runtime, ada, PASSWORD);
  const { own, former } = await hashesOf(ada);
  expect([former, await verifyPassword(PASSWORD, own, COST)]).toEqual([undefined, true]);
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
