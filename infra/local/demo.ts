import { createAccount, type NewAccount } from '#lib/account/create';
import { createTeam } from '#lib/account/team';
import { ignore } from '#lib/failure';
import type { Runtime } from '#lib/runtime';

const TEAMS = [
  { short: 'OPS', name: 'Operations', type: 'internal' },
  { short: 'FIN', name: 'Finance', type: 'internal' },
];

/** They have no password: an administrator sets one, or gives them a token. */
const ACCOUNTS: readonly NewAccount[] = [
  {
    username: 'anna.keller',
    user_first_name: 'Anna',
    user_last_name: 'Keller',
    phonenumber: '+49 30 555 0101',
    apps: ['core', 'planning'],
    roles: ['sys_tokens'],
    teams: ['OPS'],
  },
  {
    username: 'marco.rossi',
    user_first_name: 'Marco',
    user_last_name: 'Rossi',
    phonenumber: '+39 06 555 0102',
    apps: ['core', 'planning'],
    teams: ['OPS', 'FIN'],
  },
  {
    username: 'priya.nair',
    user_first_name: 'Priya',
    user_last_name: 'Nair',
    user_currency: 'GBP',
    apps: ['core', 'ledger'],
    teams: ['FIN'],
  },
  { username: 'import-service', user_first_name: 'Import', user_last_name: 'Service', apps: ['ledger'] },
];

/** Creates the demo teams and accounts that do not exist yet. */
export async function createDemoData(runtime: Runtime): Promise<void> {
  await Promise.all(TEAMS.map((team) => createTeam(runtime, team).catch(ignore('team_exists'))));
  await Promise.all(
    ACCOUNTS.map((account) => createAccount(runtime, account).catch(ignore('account_exists'))),
  );
}
