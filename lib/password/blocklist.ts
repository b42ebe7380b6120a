import { dictionary } from '@zxcvbn-ts/language-common';
import { invalid } from '../failure.ts';
import { MAX_BYTES } from './hash.ts';

/** The 49,233 most common passwords of zxcvbn, in lower case; 17,950 of them are long enough to be passwords here. */
const COMMON = dictionary['passwords-common'];

/**
 * Refuses a common password in any case. The list has 400 kB, so only functions and commands that set passwords import it.
 * A search takes 0.2 ms; an index would take 9 ms of each cold start.
 *
 * @param field name of the field in the failure
 * @throws Failure `invalid_request`
 */
export function refuseCommon(password: string, field: string): void {
  // Normalising takes quadratic time.
  if (password.length <= MAX_BYTES && COMMON.includes(password.normalize('NFKC').toLowerCase()))
    throw invalid(field, 'Must not be a common password');
}
