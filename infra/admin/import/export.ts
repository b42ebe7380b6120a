import { pipeline } from 'node:stream/promises';
import { namesOf } from '#lib/account/directory/item';
import { withRoot } from '#lib/account/properties';
import { parseExactly } from '#lib/input/exact-json';
import { type Account, FOREVER, isLockedByAdministrator } from '#lib/item/account';
import { fieldsOf, filledIn } from '#lib/item/fields';
import { DIRECTORY, propertiesKey } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { getAll, MAX_BATCH } from '#lib/table/read';
import { jsonText } from '../output.ts';
import type { Recorded } from '../recording.ts';
import { Refusal } from '../refusal.ts';
import { counted } from '../terminal/progress.ts';

/** Prints all accounts. @throws Refusal `export_incomplete` */
export async function exportAccounts({ runtime: { table, now }, note }: Recorded): Promise<undefined> {
  let accounts = 0;
  async function* lines() {
    for await (const page of everythingIn(table, DIRECTORY, MAX_BATCH)) {
      const keys = page.map(({ username }) => propertiesKey(username));
      const properties = await getAll(table, keys);
      accounts += page.length;
      yield page
        .map((account, index) => `${jsonText(exported(account, properties[index]?.json, now()))}\n`)
        .join('');
    }
  }
  await pipeline(lines, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    // The reader has ended, as `| head` does, or a full disk behind it.
    if (error.code !== 'EPIPE') throw error;
    throw new Refusal('export_incomplete', 'The output was closed before the last account');
  });
  note({ count: accounts });
  console.error(counted(accounts, 'account'));
}

const fields = fieldsOf(filledIn);

/** An account in the format of import at the time `now`; the first of its applications and teams are its defaults. */
export function exported(account: Account, properties: string | undefined, now: number): object {
  const { username, emailconfirmed, lockoutenabled, isactive } = account;
  const { app_names, role_names, team_shorts } = namesOf(account);
  return {
    username,
    ...fields(account),
    emailconfirmed,
    lockoutenabled,
    apps: app_names,
    roles: role_names,
    teams: team_shorts,
    ...(properties === undefined ? {} : { user_properties: withRoot(parseExactly(properties) as object) }),
    ...(isactive ? {} : { isactive }),
    ...(isLockedByAdministrator(account, now) ? { islocked: true, ...lockOf(account) } : {}),
  };
}

const lockOf = ({ lockoutend, lock_reason }: Account) => ({
  ...(lockoutend === FOREVER ? {} : { lockoutend }),
  ...(lock_reason ? { lock_reason } : {}),
});
