import type { Account, OpenCode } from '../item/account.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import { forEach } from '../table/bulk.ts';
import { accountKey, codeKey, DIRECTORY, passwordKey } from '../table/keys.ts';
import { everythingIn } from '../table/listing.ts';
import { getAll, MAX_BATCH } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { update } from '../table/write.ts';
import { sameUsername } from './account.ts';

/**
 * Notes in the accounts of earlier versions whether they have a password, and their one-time codes. It reads the directory,
 * and of these accounts the two items; a repeat finds none of them. An account that gets a password meanwhile notes it itself.
 *
 * @returns the number of accounts that it has noted
 */
export async function notePasswords(table: Table): Promise<number> {
  let noted = 0;
  for await (const page of everythingIn(table, DIRECTORY, MAX_BATCH)) {
    const accounts = page.filter(({ password_set }) => password_set === undefined);
    const names = accounts.map(({ username }) => username);
    const [passwords, codes] = await Promise.all([
      getAll(table, names.map(passwordKey)),
      getAll(table, names.map(codeKey)),
    ]);
    await forEach([...accounts.entries()], async ([n, account]) => {
      if (!(await note(table, account, passwords[n] !== undefined, codes[n]))) noted += 1;
    });
  }
  return noted;
}

/** A later code, or a password, is there already if it was noted. */
function note(table: Table, { username }: Account, password_set: boolean, code: OneTimeCode | undefined) {
  const open_code = code && openCodeIn(code, username);
  return update(table, {
    Key: accountKey(username),
    UpdateExpression: `SET password_set = :is${open_code ? ', open_code = if_not_exists(open_code, :code)' : ''}`,
    ConditionExpression:
      'attribute_exists(PK) AND (attribute_not_exists(password_set) OR password_set = :is)',
    ExpressionAttributeValues: { ':is': password_set, ...(open_code && { ':code': open_code }) },
  });
}

/** What an account shows of a stored code; undefined for a code that no longer works because of its version. */
function openCodeIn(code: OneTimeCode, username: string): OpenCode | undefined {
  if (code.code_sha256 === undefined) return undefined;
  const { expires_at: until, code_created_at, code_created_by, code_stamp: stamp } = code;
  const { code_maker_generation: generation } = code;
  const isOwn = generation !== undefined && sameUsername(code_created_by, username);
  return {
    until,
    made_at: Date.parse(code_created_at),
    stamp,
    ...(isOwn && { own_generation: generation }),
  };
}
