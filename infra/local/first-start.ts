import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readAccount } from '#lib/account/account';
import { createAccount, type NewAccount } from '#lib/account/create';
import { Failure, ignore } from '#lib/failure/failure';
import type { Account } from '#lib/item/account';
import type { Announcing } from '#lib/outbox/announcement';
import { setPassword } from '#lib/password/set-password';
import type { HashName } from '#lib/pseudonym/name-hash';
import { createTeam } from '#lib/team/team';
import { DAY_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { readJson, writeJson } from './machine/durable-file.ts';
import { NAMES } from './machine/resource-names.ts';
import { say } from './machine/terminal.ts';

/** What a first start needs; its first account writes the check value of the erasure key. */
type Starting = Announcing & { readonly hashName: HashName };

/** The administrator; its secrets on the first start only. */
export interface Administrator {
  readonly username: string;
  readonly password?: string;
  readonly token?: string;
}

/**
 * Opens the first start of a data directory, which creates the administrator and demo data. The next start completes one
 * that was cut off, with other secrets of the administrator, since the first ones were never shown.
 */
export function openFirstStart(file: string | undefined) {
  const state = () => (file ? readJson<'begun' | 'done'>(file) : undefined);
  const set = (reached: 'begun' | 'done') => {
    if (file) writeJson(file, reached);
  };

  return {
    async run(
      runtime: Starting,
      options: { readonly demo: boolean; readonly password?: string | undefined },
    ): Promise<Administrator> {
      const { demo, password = randomBytes(12).toString('base64url') } = options;
      const { administrator: username } = NAMES;
      if (state() === 'done') return { username };
      const existing = await readAccount(runtime.table, username);
      // A table that other instances use has its administrator already.
      if (state() === undefined && existing) return { username };
      set('begun');
      const account = await administrator(runtime, existing, password);
      const actor = { by: username, requestId: runtime.uuid() };
      if (demo) await createDemoData(runtime);
      await deleteToken(runtime, account, NAMES.firstToken, actor).catch(ignore('token_not_found'));
      const { TokenMaxDays } = runtime.settings;
      const terms = TokenMaxDays > 0 ? { expires_at: runtime.now() + TokenMaxDays * DAY_MS } : {};
      const { value } = await createToken(runtime, account, NAMES.firstToken, actor, terms);
      return { username, password, token: value };
    },
    /** Call it after showing the secrets: later starts neither show nor change them. */
    complete: () => set('done'),
    /** Call it before creating a new table. */
    reset() {
      if (state() !== undefined)
        say(
          'The table of this data directory is missing, and so are all accounts: a new table and administrator are created.',
        );
      if (file) rmSync(file, { force: true });
    },
  };
}

/** Roles of the administrator. */
export const ROLES = ['sys_administrator', 'sys_tokens'];

async function administrator(runtime: Starting, existing: Account | undefined, password: string) {
  try {
    if (!existing)
      return await createAccount(runtime, { username: NAMES.administrator, password, roles: ROLES });
    await setPassword(runtime, existing, password);
    return existing;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_request') throw error;
    throw new Error(`ADMIN_PASSWORD: ${error.errors?.map(({ message }) => message).join('; ')}`);
  }
}

const TEAMS = [
  { short: 'OPS', name: 'Operations', type: 'internal' },
  { short: 'FIN', name: 'Finance', type: 'internal' },
];

/** Accounts without a password: an administrator sets one, or creates a token for them. */
const ACCOUNTS: readonly NewAccount[] = [
  { ...named('Anna', 'Keller'), apps: ['core', 'planning'], roles: ['sys_tokens'], teams: ['OPS'] },
  { ...named('Marco', 'Rossi'), apps: ['core', 'planning'], teams: ['OPS', 'FIN'] },
  { ...named('Priya', 'Nair'), user_currency: 'GBP', apps: ['core', 'ledger'], teams: ['FIN'] },
  { ...named('Import', 'Service'), username: 'import-service', apps: ['ledger'] },
];

function named(user_first_name: string, user_last_name: string) {
  const username = `${user_first_name}.${user_last_name}`.toLowerCase();
  return { username, user_first_name, user_last_name };
}

async function createDemoData(runtime: Starting): Promise<void> {
  await Promise.all(TEAMS.map((team) => createTeam(runtime, team).catch(ignore('team_exists'))));
  await Promise.all(
    ACCOUNTS.map((account) => createAccount(runtime, account).catch(ignore('account_exists'))),
  );
}
