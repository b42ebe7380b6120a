import { invalid } from '../failure/failure.ts';
import { MAX_BYTES } from './length.ts';

/**
 * Refuses one of the 49,233 most common passwords of zxcvbn in any case; 17,950 of them are long enough to be passwords
 * here. The list is unpacked for the first password.
 *
 * @param field name of the field in the failure
 * @throws Failure `invalid_request`
 */
export async function refuseCommon(password: string, field: string): Promise<void> {
  // Normalising takes quadratic time.
  if (password.length > MAX_BYTES) return;
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  if (dictionary['passwords-common'].includes(password.normalize('NFKC').toLowerCase()))
    throw invalid(field, 'Must not be a common password');
}
