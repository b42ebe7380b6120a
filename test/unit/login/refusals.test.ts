import { expect, test } from 'vitest';
import { type Account, FOREVER } from '#lib/item/account';
import { PER_ADDRESS, PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { loginBlockOf, loginRefusals } from '#lib/login/refusals';
import { attemptsOfPairKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { withOffset } from '#lib/time';
import { type AccountOverrides, NOON } from '../support/engine.ts';
import { attempts, HERE, openLogin, WRONG } from './bench.ts';

const bench = await openLogin();
const { table, wire, runtime, account, stored, user, given, logIn, refused, operations } = bench;

const { lockoutMs: LOCKOUT_MS = 0 } = PER_NAME;

const iso = (time: number) => new Date(time).toISOString();
const FOR_A_TIME = { lockoutend: withOffset(NOON + 5000) };
const ENDING = { ...FOR_A_TIME, lock_reason: 'fraud' };
const OWN = attempts(PER_PAIR.max, { from: HERE });
const END = iso(NOON - 1000 + PER_PAIR.windowMs);

test.each<[string, AccountOverrides, number, string[]]>([
  ['no reason', {}, PER_PAIR.max - 1, []],
  ['two reasons', { isactive: false, lockoutend: FOREVER }, 0, ['cancelled', 'locked by an administrator']],
  ['a lockout', FOR_A_TIME, 0, [`failed logins until ${iso(NOON + 5000)}`]],
  ['a lock with an end', ENDING, 0, [`locked by an administrator until ${iso(NOON + 5000)}`]],
  ['a lock that has ended', { ...ENDING, lockoutend: withOffset(NOON) }, 0, []],
  ['a lockout that has ended', { lockoutend: withOffset(NOON) }, 0, []],
  ['an exempt account', { ...FOR_A_TIME, lockoutenabled: false }, 0, []],
  ['failures from an address', {}, PER_PAIR.max, [`failed logins from ${HERE} until ${END}`]],
  ['failures that were cleared', { failures_cleared_at: NOON }, PER_PAIR.max, []],
])('loginRefusals reports %s', async (_, part, failures, expected) => {
  const ada = await account(part);
  await given(ada, {
    codePair: { attempts: OWN.slice(1) },
    pair: { attempts: OWN.slice(0, failures) },
    name: { attempts: OWN },
  });
  expect(await loginRefusals(runtime, ada)).toEqual(expected);
});

test('loginRefusals reports wrong codes from an address', async () => {
  const ada = await account();
  await given(ada, { codePair: { attempts: OWN } });
  expect(await loginRefusals(runtime, ada)).toEqual([`wrong codes from ${HERE} until ${END}`]);
});

const FROM_ADDRESS = {
  cause: 'attempts_from_address',
  since: iso(NOON - 1000),
  until: iso(NOON - 1000 + PER_PAIR.windowMs),
};
const lockout = (begun: number) => ({
  cause: 'attempts',
  since: iso(begun),
  until: iso(begun + LOCKOUT_MS),
});
const BEGUN = { lockoutend: withOffset(NOON - 1 + LOCKOUT_MS) };
const EXHAUSTED = { pair: { attempts: OWN } };

test.each<[string, AccountOverrides, Parameters<typeof given>[1], object | null]>([
  [
    'no block',
    {},
    { pair: { attempts: OWN.slice(1) }, name: { attempts: attempts(PER_NAME.max - 1) } },
    null,
  ],
  ['failures from an address', {}, EXHAUSTED, FROM_ADDRESS],
  [
    'failures of a known address',
    {},
    { pair: { attempts: OWN, known_at: NOON, known_stamp: 'x' } },
    FROM_ADDRESS,
  ],
  ['a lockout for all addresses', BEGUN, {}, lockout(NOON - 1)],
  ['a lockout that its account does not show yet', {}, { name: { locked_at: NOON - 2 } }, lockout(NOON - 2)],
  ['the lockout for all addresses before that of one', BEGUN, EXHAUSTED, lockout(NOON - 1)],
  [
    'no lockout that has ended',
    { lockoutend: withOffset(NOON) },
    { name: { locked_at: NOON - LOCKOUT_MS } },
    null,
  ],
  [
    'no lockout of an exempt account',
    { ...BEGUN, lockoutenabled: false },
    { name: { locked_at: NOON - 1 } },
    null,
  ],
  ['failures of an exempt account', { lockoutenabled: false }, EXHAUSTED, FROM_ADDRESS],
  [
    'no failures that were cleared',
    { failures_cleared_at: NOON },
    { ...EXHAUSTED, name: { locked_at: NOON - 1 } },
    null,
  ],
  [
    'no attempts that are pending',
    {},
    { pair: { attempts: attempts(PER_PAIR.max, { pending: true }) } },
    null,
  ],
  ['no wrong codes', {}, { codePair: { attempts: OWN } }, null],
  ['no block of an address', {}, { address: { attempts: attempts(PER_ADDRESS.max) } }, null],
  ['no block of a cancelled account', { isactive: false }, EXHAUSTED, null],
  ['no block of an account that an administrator has locked', { lockoutend: FOREVER }, EXHAUSTED, null],
  ['no block of a machine', { kind: 'machine' }, EXHAUSTED, null],
])('loginBlockOf returns %s', async (_, part, lists, expected) => {
  const { kind, ...rest } = part;
  const ada = { ...(await account(rest)), ...(kind && { kind }) } as Account;
  await given(ada, lists);
  expect(await loginBlockOf(runtime, ada)).toEqual(expected);
});

test('loginBlockOf returns the address that is refused longest, until it has ended', async () => {
  const ada = await account();
  const later = attempts(PER_PAIR.max, { at: NOON - 500, from: 'b' });
  await put(table, attemptsOfPairKey(ada.username, 'b'), { attempts: later });
  await put(table, attemptsOfPairKey(ada.username, 'c'), { attempts: attempts(PER_PAIR.max) });
  const since = NOON - 500;
  const until = since + PER_PAIR.windowMs;
  const at = (time: number) => loginBlockOf({ ...runtime, now: () => time }, ada);
  for (const time of [NOON, until - 1])
    expect(await at(time)).toEqual({ cause: 'attempts_from_address', since: iso(since), until: iso(until) });
  expect(await at(until)).toBeNull();
});

test('loginBlockOf agrees with logins: five wrong passwords refuse the right one', async () => {
  const ada = await user();
  await logIn(ada);
  for (let n = 0; n < PER_PAIR.max; n += 1) {
    expect(await loginBlockOf(runtime, await stored(ada))).toBeNull();
    await refused(ada, WRONG);
  }
  await expect(logIn(ada)).rejects.toMatchObject({ code: 'too_many_requests' });
  const until = iso(NOON + PER_PAIR.windowMs);
  const expected = { cause: 'attempts_from_address', since: iso(NOON), until };
  wire.reset();
  expect(await loginBlockOf(runtime, await stored(ada))).toEqual(expected);
  expect(operations()).toEqual(['GetItem', 'Query']);
});

test('loginBlockOf agrees with logins: failures from many addresses refuse the right password', async () => {
  const ada = await user();
  await given(ada, { name: { attempts: attempts(PER_NAME.max - 1) } });
  await refused(ada, WRONG);
  await refused(ada);
  expect(await loginBlockOf(runtime, await stored(ada))).toEqual(lockout(NOON));
});
