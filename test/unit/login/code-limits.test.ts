import bcrypt from 'bcryptjs';
import { afterEach, expect, test, vi } from 'vitest';
import { createCode } from '#lib/account/create-code';
import type { Account } from '#lib/item/account';
import { PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { changePassword } from '#lib/login/change-password';
import { passwordCostKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { withOffset } from '#lib/time';
import { newName } from '../../names.ts';
import { type AccountOverrides, by, COST, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';
import { type AnyList, attempts, CODE_LISTS, HERE, INVALID, openLogin } from './bench.ts';

const bench = await openLogin();
const { table, wire, runtime, account, user, given, logIn, listOf, storedAttempts, endOf, operations } =
  bench;

afterEach(() => vi.restoreAllMocks());

const key = await publishKey(table);
const WRONG_CODE = '0000-0000-0000';
const setBy = ({ username }: Pick<Account, 'username'>, code = WRONG_CODE) => {
  const request = { username, code, new_password: 'battery staple' };
  const on = { ...runtime, signingKey: async () => key };
  return changePassword(on, undefined, undefined, request, gatewayEvent());
};
const codeFor = async (it: Account, hours?: number) =>
  (await createCode(runtime, it, by('admin'), {}, { hours })).code;

const [P, A, N] = [PER_PAIR.max, PER_ADDRESS.max, PER_NAME.max];
const failed = (n: number) => ({ attempts: attempts(n, { from: HERE }) });
const END = withOffset(NOON + 1000);

test.each<[string, Parameters<typeof given>[1], AccountOverrides]>([
  ['of a pair have reached its limit', { pair: failed(P) }, {}],
  ['from an address have reached its limit', { address: failed(A) }, {}],
  ['have begun a lockout of the name', { name: { locked_at: NOON - 1 } }, {}],
  ['have locked the account for a time', {}, { lockoutend: END }],
])('a right code is accepted when failures of passwords %s', async (_what, lists, part) => {
  const ada = await user(part);
  const code = await codeFor(ada);
  await given(ada, lists);
  expect((await setBy(ada, code)).data.username).toBe(ada.username);
  expect(await endOf(ada)).toBe(part.lockoutend);
});

test.each<[string, AnyList, number, { readonly name: string }]>([
  ['a pair', 'codePair', P, PER_PAIR],
  ['an address', 'codeAddress', A, PER_ADDRESS],
])(
  'a code is refused after one read when failures of codes reach the limit of %s',
  async (_what, list, max, limit) => {
    const ada = await user();
    const known = { known_at: NOON - 1, known_stamp: ada.stamp };
    for (const [of, code] of [[ada, await codeFor(ada)], [{ username: newName('nobody') }]] as const) {
      await given(of, { [list]: failed(max), pair: known });
      await expect(setBy(of, code)).rejects.toMatchObject({
        code: 'too_many_requests',
        limit: { name: limit.name, quota: max },
      });
      expect(operations()).toEqual(['BatchGetItem']);
    }
  },
);

test('a password is accepted when failures of codes have reached their limits', async () => {
  const ada = await user();
  await given(ada, { codePair: failed(P), codeAddress: failed(A) });
  expect((await logIn(ada)).id).toBe(ada.id);
});

test('a wrong code counts for no password, and begins no lockout', async () => {
  const ada = await user();
  const others = attempts(N - 1);
  await given(ada, { name: { attempts: others } });
  await expect(setBy(ada)).rejects.toMatchObject(INVALID);
  expect(await storedAttempts(ada)).toEqual([undefined, undefined, others]);
  expect((await storedAttempts(ada, CODE_LISTS)).map((all) => all?.length)).toEqual([1, 1]);
  expect((await listOf('name', ada))?.locked_at).toBeUndefined();
});

test('a code is accepted when failures of the pair were cleared', async () => {
  const ada = await user({ failures_cleared_at: NOON - 1000 });
  await given(ada, { codePair: failed(P) });
  expect((await setBy(ada, await codeFor(ada))).data.username).toBe(ada.username);
});

/** Names and codes that are refused, in the same time and by the same commands. */
test.each<[string, () => Promise<{ username: string; code?: string }>]>([
  ['an account with a code', async () => withCode(await user())],
  ['an account without a code', () => user()],
  ['an account without a password', () => account()],
  ['an account whose code has expired', async () => withCode(await user(), 0)],
  ['a cancelled account', async () => user({ isactive: false })],
  ['an unknown name', async () => ({ username: newName('nobody') })],
  ['no code at all', async () => ({ ...(await user()), code: 'x'.repeat(100_000) })],
  ['an empty code', async () => ({ ...(await user()), code: '' })],
])('a code costs the same work for %s', async (_what, make) => {
  const { username, code = WRONG_CODE } = await make();
  for (const list of Object.values(CODE_LISTS)) await remove(table, list({ username }));
  // Another test stores a hash of a higher cost.
  await put(table, passwordCostKey, { cost: COST });
  wire.reset();
  const compare = vi.spyOn(bcrypt, 'compare');
  const failed = await setBy({ username }, code).catch((error: unknown) => error);
  expect(failed).toMatchObject(INVALID);
  expect(operations()).toEqual(['BatchGetItem', ...Array(4).fill('PutItem')]);
  expect(JSON.stringify(wire.commands[0]?.input).match(/CODE#/g)).toHaveLength(1);
  expect((await storedAttempts({ username }, CODE_LISTS)).map((all) => all?.length)).toEqual([1, 1]);
  expect(compare.mock.calls.map(([, hash]) => bcrypt.getRounds(hash))).toEqual([COST]);
});

const withCode = async (it: Account, hours?: number) => {
  await codeFor(it, hours);
  return { username: it.username };
};
