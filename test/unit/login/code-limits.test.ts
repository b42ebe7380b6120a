import { expect, test } from 'vitest';
import { createCode } from '#lib/account/create-code';
import type { Account } from '#lib/item/account';
import { PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { changePassword } from '#lib/login/change-password';
import { withOffset } from '#lib/time';
import { newName } from '../../names.ts';
import { type AccountOverrides, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';
import { type AnyList, attempts, CODE_LISTS, HERE, INVALID, openLogin } from './bench.ts';

const bench = await openLogin();
const { table, runtime, user, given, logIn, listOf, storedAttempts, endOf, operations } = bench;

const key = await publishKey(table);
const setBy = ({ username }: Pick<Account, 'username'>, code = '0000-0000-0000') => {
  const request = { username, code, new_password: 'battery staple' };
  const on = { ...runtime, signingKey: async () => key };
  return changePassword(on, undefined, undefined, request, gatewayEvent());
};
const codeFor = async (it: Account) => (await createCode(runtime, it, {})).code;

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
