import type { Settings } from '../../instance/settings.ts';
import type { Account } from '../../item/account.ts';
import { DAY_MS, isoOf } from '../../time.ts';

/**
 * The time (UTC) from which on an account can be erased: some days after its cancellation, so that somebody notices one of a
 * thief. Null while it is active. Earlier versions stored no time of the cancellation: then it is the time of the creation.
 */
export function erasableFrom(
  { isactive, cancelled_at = '', created_at }: Account,
  { ErasureAfterDays }: Pick<Settings, 'ErasureAfterDays'>,
): string | null {
  if (isactive) return null;
  const cancelled = Date.parse(cancelled_at);
  return Number.isNaN(cancelled) ? `${created_at}Z` : isoOf(cancelled + ErasureAfterDays * DAY_MS);
}
