import { invalid } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import type { NewPassword } from './hash.ts';
import { MIN_BYTES } from './length.ts';
import { namesIn } from './names.ts';

/** Length from which a name counts: shorter ones occur in unrelated words. */
const MIN_NAME = 4;

/**
 * Refuses a password that is too short without the names of its account, in any case: the username, the first, last and
 * short name, and their parts.
 *
 * @param field name of the field in the failure
 * @throws Failure `invalid_request`
 */
export function refuseOwnNames(password: NewPassword, account: Account, field: string): void {
  const { username, user_first_name, user_last_name, user_short } = account;
  const names = namesIn([username, user_first_name, user_last_name, user_short])
    .filter((name) => name.length >= MIN_NAME)
    .sort((one, other) => other.length - one.length);
  const rest = names.reduce((text, name) => text.replaceAll(name, ''), password.toLowerCase());
  if (Buffer.byteLength(rest) < MIN_BYTES)
    throw invalid(field, `Must have ${MIN_BYTES} bytes in addition to your username and names`);
}
