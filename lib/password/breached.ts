import { createHash } from 'node:crypto';
import { invalid } from '../failure/failure.ts';
import { log } from '../log/log.ts';
import type { NewPassword } from './hash.ts';

/** Longest time that a range service may delay a new password; without an answer by then, the password is accepted. */
export const BREACH_CHECK_MS = 300;

/** Log message of a password that was accepted unchecked. An error of the request would name digits of its hash. */
export const UNCHECKED = 'A new password was not compared with breached passwords';

/**
 * Refuses a password from a known breach. The service receives five digits of its SHA-1 (k-anonymity), and answers with
 * all suffixes that it knows, each with a count; a count of 0 is padding.
 *
 * @see https://haveibeenpwned.com/API/v3#PwnedPasswords
 *
 * @param service URL of the range service, without a final slash; without one there is no check
 * @param field name of the field in the failure
 * @throws Failure `invalid_request`
 */
export async function refuseBreached(password: NewPassword, service: string, field: string): Promise<void> {
  if (service === '') return;
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  const [prefix, suffix] = [digest.slice(0, 5), digest.slice(5)];
  const known = await rangeOf(`${service}/${prefix}`).catch((): string[] => {
    log('warn', { message: UNCHECKED });
    return [];
  });
  const isKnown = (line: string) => /^[1-9]/.test(line.slice(suffix.length + 1));
  if (known.some((line) => line.startsWith(`${suffix}:`) && isKnown(line)))
    throw invalid(field, 'Must not be in a list of breached passwords');
}

async function rangeOf(url: string): Promise<string[]> {
  const signal = AbortSignal.timeout(BREACH_CHECK_MS);
  const response = await fetch(url, { headers: { 'Add-Padding': 'true' }, redirect: 'error', signal });
  if (!response.ok) throw new Error(response.statusText);
  return (await response.text()).toUpperCase().split(/\s+/);
}
