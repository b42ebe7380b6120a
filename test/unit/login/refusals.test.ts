import { expect, test } from 'vitest';
import { FOREVER } from '#lib/item/account';
import { PER_PAIR } from '#lib/login/attempts';
import { loginRefusals } from '#lib/login/refusals';
import { withOffset } from '#lib/time';
import { type AccountOverrides, NOON } from '../support/engine.ts';
import { attempts, HERE, openLogin } from './bench.ts';

const { runtime, account, given } = await openLogin();

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
