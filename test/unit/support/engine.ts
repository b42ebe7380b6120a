import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, inject } from 'vitest';
import { createAccount, type NewAccount } from '#lib/account/create';
import type { Actor } from '#lib/event/account-event';
import type { Announcing } from '#lib/outbox/announcement';
import { runtimeOn } from '#lib/runtime';
import { readSettings } from '#lib/settings';
import { openTable } from '#lib/table/table';
import { ensureTable } from '../../../infra/local/engine/create-table.ts';
import { openProxy } from '../../wire/dynamodb-proxy.ts';

/** A time in the middle of a day, so that a minute more or less stays on it. */
export const NOON = Date.UTC(2026, 10, 20, 12);

/** Somebody who makes a change. */
export const by = (username: string): Actor => ({ by: username, requestId: 'request-1' });

/** A clock that stands still until it is set. */
export interface TestClock {
  (): number;
  time: number;
}

/**
 * A table of its own on the real engine, reached through a wire that sees every command and can answer in place of
 * the engine. To be called once at the top of a test file; every test begins with a wire that lets all pass, and at
 * {@link NOON}.
 */
export async function openTestTable(settings: Readonly<Record<string, string>> = {}) {
  const wire = await openProxy(inject('engine'), 0);
  const table = openTable(`test-${randomBytes(6).toString('hex')}`, wire.url);
  await ensureTable(table, () => undefined);
  const clock: TestClock = Object.assign(() => clock.time, { time: NOON });
  const runtime: Announcing = {
    ...runtimeOn(
      table,
      'test',
      readSettings((name) => ({ BcryptCost: '10', ...settings })[name as string]),
    ),
    now: clock,
    // No bus is there unless the test opens one.
    publish: async () => [],
  };
  beforeEach(() => {
    wire.reset();
    clock.time = NOON;
  });
  afterAll(() => {
    table.client.destroy();
    wire.close();
  });

  return {
    table,
    wire,
    clock,
    runtime,
    /** Creates an account without a password, as an operator does. */
    account: (input: Partial<NewAccount> = {}) =>
      createAccount(runtime, { username: `user-${randomBytes(5).toString('hex')}`, ...input }),
    /** The operations of all commands since the test began, or since the wire was reset. */
    operations: () => wire.commands.map(({ operation }) => operation),
  };
}
