import { once } from 'node:events';
import type { Command } from 'commander';
import { isLockedForGood } from '#lib/account/account';
import { withRoot } from '#lib/account/properties';
import { parseExactly } from '#lib/exact-json';
import type { Account } from '#lib/item/account';
import { type FilledIn, fieldsOf, UNFILLED } from '#lib/item/fields';
import { DIRECTORY, propertiesKey } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { getAll, MAX_BATCH } from '#lib/table/read';
import { reading } from '../run.ts';
import type { Target } from '../target.ts';

/** `admin export` */
export function exportCommand(program: Command): void {
  program
    .command('export')
    .description('print all accounts, an account a line, as import reads them; neither hashes nor secrets')
    .action(reading(exportAccounts));
}

async function exportAccounts({ runtime: { table } }: Target): Promise<undefined> {
  // Nobody reads any more, as after `| head`.
  const closed = once(process.stdout, 'error');
  let isOpen = true;
  closed.then(() => {
    isOpen = false;
  });
  let accounts = 0;
  for await (const page of everythingIn(table, DIRECTORY, MAX_BATCH)) {
    const properties = await getAll(
      table,
      page.map(({ username }) => propertiesKey(username)),
    );
    const lines = page.map(
      (account, index) => `${JSON.stringify(exported(account, properties[index]?.json))}\n`,
    );
    if (isOpen && !process.stdout.write(lines.join('')))
      await Promise.race([once(process.stdout, 'drain'), closed]);
    if (!isOpen) return;
    accounts += page.length;
  }
  console.error(`${accounts} accounts`);
}

const fields = fieldsOf<FilledIn>(Object.keys(UNFILLED) as (keyof FilledIn)[]);

/** An account as import reads it; the first of its applications and teams are its defaults. */
export function exported(account: Account, properties: string | undefined): object {
  const { username, emailconfirmed, lockoutenabled, isactive, user_app_name, apps, roles, teams, team_id } =
    account;
  const isDefault = (team: { team_id: string }) => team.team_id === team_id;
  return {
    username,
    ...fields(account),
    emailconfirmed,
    lockoutenabled,
    apps: [...new Set([user_app_name, ...apps])],
    roles,
    teams: [...teams.filter(isDefault), ...teams.filter((team) => !isDefault(team))].map(
      ({ team_short }) => team_short,
    ),
    ...(properties === undefined ? {} : { user_properties: withRoot(parseExactly(properties) as object) }),
    ...(isactive ? {} : { isactive }),
    ...(isLockedForGood(account) ? { islocked: true } : {}),
  };
}
