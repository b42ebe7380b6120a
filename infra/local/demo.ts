import { createAccount, type NewAccount } from '#lib/account/create';
import { createTeam } from '#lib/account/team';
import { ignore } from '#lib/failure';
import type { Runtime } from '#lib/runtime';

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

/** Creates the demo teams and accounts that do not exist yet. */
export async function createDemoData(runtime: Runtime): Promise<void> {
  await Promise.all(TEAMS.map((team) => createTeam(runtime, team).catch(ignore('team_exists'))));
  await Promise.all(
    ACCOUNTS.map((account) => createAccount(runtime, account).catch(ignore('account_exists'))),
  );
}
