import { expect, test } from 'vitest';
import { becomeMachine } from '#lib/account/access';
import { createCode, makerOf } from '#lib/account/create-code';
import { accountsPage } from '#lib/account/directory/browse';
import { directoryItem } from '#lib/account/directory/item';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { openCodeOf } from '#lib/account/open-code';
import { endSessions, resetStamp } from '#lib/account/reset-stamp';
import type { Account } from '#lib/item/account';
import { changePassword } from '#lib/login/change-password';
import { setPassword } from '#lib/password/set-password';
import { HOUR_MS, isoOf } from '#lib/time';
import { revokeAllTokens } from '#lib/token/revoke';
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { gatewayEvent } from '../../support/gateway-event.ts';
import { publishKey } from '../../support/signing-keys.ts';

const { table, runtime, account, stored } = await openTestTable();
const key = await publishKey(table);
const ROOT = by('root');
const END = isoOf(NOON + HOUR_MS);

/** An invited person, with the code. */
async function invited(maker?: Account) {
  const it = await account();
  const { code } = await createCode(runtime, it, maker ? makerOf(maker) : ROOT, {}, { hours: 1 });
  return { it: await stored(it), code };
}
const shownOf = async (it: Account) => {
  const { password_set, code_expires_at } = directoryItem(await stored(it), NOON, runtime.settings);
  return { password_set, code_expires_at };
};
const statesOf = async ({ username: q }: Account, time = NOON) => {
  const found = await Promise.all(
    (['invited', 'code_expired', 'never_used', 'locked', 'active', 'cancelled'] as const).map(
      async (state) => {
        const { items } = await accountsPage({ ...runtime, now: () => time }, { q, state, kind: 'person' });
        return items.length > 0 ? [state] : [];
      },
    ),
  );
  return found.flat();
};

test('the directory shows the code of an invitation, open and expired', async () => {
  const { it } = await invited();
  expect(await shownOf(it)).toEqual({ password_set: false, code_expires_at: END });
  expect(await statesOf(it)).toEqual(['invited', 'never_used', 'active']);
  expect(await statesOf(it, NOON + HOUR_MS)).toEqual(['code_expired', 'never_used', 'active']);
});

type End = (it: Account, code: string) => Promise<unknown>;

test.each<[string, End, password_set: boolean, states: string[]]>([
  [
    'its use',
    (it, code) =>
      changePassword(
        { ...runtime, signingKey: async () => key },
        undefined,
        undefined,
        { username: it.username, code, new_password: 'battery staple' },
        gatewayEvent(),
      ),
    true,
    ['active'],
  ],
  ['a new password', (it) => setPassword(runtime, it, 'battery staple'), true, ['never_used', 'active']],
  ['a logout', (it) => endSessions(runtime, it), false, ['never_used', 'active']],
  ['a reset stamp', (it) => resetStamp(runtime, it), false, ['never_used', 'active']],
  [
    'a lock and an unlock',
    async (it) => {
      await lockAccount(runtime, it, ROOT);
      expect(await statesOf(it)).toEqual(['never_used', 'locked', 'active']);
      await unlockAccount(runtime, await stored(it), ROOT);
    },
    false,
    ['never_used', 'active'],
  ],
  [
    'a cancel and a reactivation',
    async (it) => {
      await cancelAccount(runtime, it, ROOT);
      expect(await statesOf(it)).toEqual(['cancelled']);
      await reactivateAccount(runtime, await stored(it), ROOT);
    },
    false,
    ['never_used', 'active'],
  ],
  [
    'a change into a machine',
    async (it) => becomeMachine(runtime, it, (await account()).username, ROOT),
    false,
    [],
  ],
])('the directory shows no code after %s', async (_, end, password_set, states) => {
  const { it, code } = await invited();
  await end(it, code);
  expect(await shownOf(it)).toEqual({ password_set, code_expires_at: null });
  await expect.poll(() => statesOf(it)).toEqual(states);
});

test('the directory shows a new code in place of one that has ended', async () => {
  const { it } = await invited();
  await endSessions(runtime, it);
  await createCode(runtime, await stored(it), ROOT, {}, { hours: 2 });
  expect(await shownOf(it)).toEqual({ password_set: false, code_expires_at: isoOf(NOON + 2 * HOUR_MS) });
});

test('the directory shows a code whose maker has lost it, which only the profile finds out', async () => {
  const maker = await account({ roles: ['sys_administrator'] });
  const { it } = await invited(maker);
  await revokeAllTokens(runtime, maker, ROOT);
  expect(await shownOf(it)).toEqual({ password_set: false, code_expires_at: END });
  expect((await openCodeOf(runtime, it)).code_expires_at).toBeNull();
});

test('the directory shows no code that an account made for itself before a remedy', async () => {
  const it = await account({ roles: ['sys_administrator'] });
  await createCode(runtime, it, makerOf(it), {}, { hours: 1 });
  expect((await shownOf(it)).code_expires_at).toBe(END);
  await revokeAllTokens(runtime, await stored(it), ROOT);
  expect((await shownOf(it)).code_expires_at).toBeNull();
});
