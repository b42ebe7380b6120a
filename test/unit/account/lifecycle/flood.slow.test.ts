import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { updateProfile } from '#lib/account/profile/update';
import { withConflicts } from '../../../wire/transaction-conflicts.ts';
import { by, openTestTable } from '../../support/engine.ts';

const { runtime, account, wire } = await openTestTable();

const FLOOD = { intervalMs: 10, aheadMs: 50 };

test.each<[string, number, object]>([
  ['updates', 20, { user_first_name: 'Ada' }],
  ['transactions', 3, { user_properties: { theme: 'dark' } }],
])('lockAccount succeeds against a hundred %s of the account a second, %i times', async (_, n, body) => {
  const { script, conflicts } = withConflicts();
  wire.script(script);
  for (let made = 0; made < n; made++) {
    const target = await account();
    const updates: Promise<unknown>[] = [];
    const timer = setInterval(
      () => updates.push(updateProfile(runtime, target, body).catch(() => undefined)),
      FLOOD.intervalMs,
    );
    await sleep(FLOOD.aheadMs);
    await expect(lockAccount(runtime, target, by('Root'))).resolves.toMatchObject({ changed: true });
    clearInterval(timer);
    await Promise.all(updates);
  }
  expect(conflicts()).toBeGreaterThan(0);
});
