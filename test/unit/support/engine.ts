import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, inject } from 'vitest';
import { stillPermitted } from '#lib/account/caller';
import { createAccount, type NewAccount } from '#lib/account/create';
import type { Actor } from '#lib/event/event';
import { settingsFromEnvironment } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import { UNFILLED } from '#lib/item/fields';
import type { Announcing } from '#lib/outbox/announcement';
import { hashWith } from '#lib/pseudonym/erasure-key';
import type { HashName } from '#lib/pseudonym/name-hash';
import { runtimeOn } from '#lib/runtime';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTable } from '#lib/table/table';
import { createTeam } from '#lib/team/team';
import { ensureTable } from '../../../infra/table/ensure.ts';
import { newName } from '../../names.ts';
import { openProxy } from '../../wire/dynamodb-proxy.ts';
import { NOON } from './items.ts';
import { setAttributes } from './set-attributes.ts';

export { NOON };

/** Cost of bcrypt hashes in unit tests, the lowest of bcrypt: a 64th of the work of the lowest that an instance may have. */
export const COST = 4;

/** The originator of a change. */
export const by = (username: string): Actor => ({ by: username, requestId: 'request-1' });

/** Attributes of an account in a test: the input of its creation, and those that only later changes set. */
export type AccountOverrides = Partial<NewAccount & Omit<Account, keyof NewAccount>>;

/** The fields that {@link createAccount} accepts. */
const NEW = new Set([
  ...Object.keys(UNFILLED),
  ...['username', 'password', 'user_properties', 'emailconfirmed', 'lockoutenabled'],
  ...['apps', 'roles', 'teams'],
]);

/** Hashes the names of erased accounts in tests. */
export const hashName: HashName = async (username) => hashWith('key', username);

/** A clock that stops until it is set. */
export interface TestClock {
  (): number;
  time: number;
}

/** The environment variables of settings. */
export const variablesOf = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(settings).map(([name, text]) => [`Settings__${name}`, text]));

/**
 * Opens a new table on the real engine, through a wire that records every command and can answer in place of the
 * engine. Call it once at the top of a test file. Every test begins at {@link NOON}, and its wire passes all commands.
 */
export async function openTestTable(settings: Readonly<Record<string, string>> = {}) {
  const wire = await openProxy(inject('engine'));
  // An engine outlives runs with `DYNAMODB_URL`, and no outcome depends on the name of a table.
  const table = openTable(`test-${randomBytes(6).toString('hex')}`, wire.url);
  wire.shorten(table.client);
  await ensureTable(table, () => undefined);
  const clock: TestClock = Object.assign(() => clock.time, { time: NOON });
  const runtime: Announcing & { readonly hashName: HashName } = {
    ...runtimeOn(table, 'test', { ...settingsFromEnvironment(variablesOf(settings)), BcryptCost: COST }),
    now: clock,
    hashName,
    // Tests of events open a bus.
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
    /** Creates an account as an operator does, by default with a new username and without a password. */
    async account(overrides: AccountOverrides = {}): Promise<Account> {
      const { given = [], later = [] } = Object.groupBy(Object.entries(overrides), ([name]) =>
        NEW.has(name) ? 'given' : 'later',
      );
      const username = newName('user');
      const account = await createAccount(runtime, { username, ...Object.fromEntries(given) });
      return later.length > 0
        ? setAttributes(table, account, { transitions: undefined, ...Object.fromEntries(later) })
        : account;
    },
    /** The account as the table has it now. */
    stored: async ({ username }: Pick<Account, 'username'>) =>
      (await get(table, accountKey(username))) as Account,
    /** Creates a team of the name `Team <short>`. */
    team: (short: string) => createTeam(runtime, { short, name: `Team ${short}`, type: 'internal' }),
    /** The runtime of a request that an account makes as an administrator: the account must still be one. */
    guardedBy: (caller: Account) => ({
      ...runtime,
      table: { ...table, guard: stillPermitted(caller, 'sys_administrator', clock) },
    }),
    /** The operations of all commands since the test began or the wire was reset. */
    operations: () => wire.commands.map(({ operation }) => operation),
    /** Their inputs, as they went over the wire. */
    inputs: () => wire.commands.map(({ input }) => input),
  };
}
