import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { updateProfile } from '#lib/account/profile/update';
import type { Account } from '#lib/item/account';
import { withConflicts } from '../../../wire/transaction-conflicts.ts';
import { by, openTestTable } from '../../support/engine.ts';
import { openTestBus } from '../../support/event-bus.ts';

const { runtime, account, wire } = await openTestTable();
const bus = await openTestBus();

const announcing = { ...runtime, publish: bus.publish };
const lock = (caller: Account, target: Account) => lockAccount(announcing, target, by(caller.username));
const cancel = (caller: Account, target: Account) => cancelAccount(announcing, target, by(caller.username));

const NAME = { user_first_name: 'Ada' };
/** Written in a transaction, which does stand in the way of others. */
const PROPERTIES = { user_properties: { theme: 'dark' } };

const FLOOD = { intervalMs: 10, aheadMs: 50 };

test.each<[string, number, typeof lock | typeof cancel, object]>([
  ['locks', 20, lock, NAME],
  ['cancels', 20, cancel, NAME],
  ['locks', 3, lock, PROPERTIES],
])(
  'an account that changes a hundred times a second holds up none of its %s (%i)',
  async (_, n, change, body) => {
    const admin = await account();
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
      await expect(change(admin, target)).resolves.toMatchObject({ changed: true });
      clearInterval(timer);
      await Promise.all(updates);
    }
    expect(conflicts()).toBeGreaterThan(0);
  },
);
