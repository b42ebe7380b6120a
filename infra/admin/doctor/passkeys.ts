import { withDomains } from '#lib/account/enrolments';
import { type Account, hasFallenCounter, hasPasskey } from '#lib/item/account';
import type { Table } from '#lib/table/table';
import { placeOf } from '../../stolen.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { counted } from '../terminal/progress.ts';

/** Numbers of accounts. */
interface Counts {
  /** With passkeys. */
  owners: number;
  /** That have only passkeys of another domain, as after a move. */
  stranded: number;
  /** With a passkey whose counter fell. */
  fell: number;
}

/** Counts some more accounts, after a read of the passkeys that an earlier version has enrolled. */
export async function countPasskeys(
  table: Table,
  accounts: readonly Account[],
  domain: string,
  counts: Counts,
): Promise<void> {
  const owning = accounts.filter(({ passkeys = {} }) => Object.keys(passkeys).length > 0);
  const known = await Promise.all(owning.map((account) => withDomains(table, account)));
  counts.owners += owning.length;
  counts.fell += accounts.filter(hasFallenCounter).length;
  counts.stranded += known.filter((account) => !hasPasskey(account, domain)).length;
}

/**
 * Accounts that have only passkeys of another domain log in otherwise, so that is no fault. Whether the device of a passkey
 * whose counter fell was reset or copied is unknown.
 *
 * @param within says of how many accounts the numbers are
 */
export function passkeyFinding(
  { owners, stranded, fell }: Counts,
  domain: string,
  within: (found: string) => string,
): Diagnosis {
  const found = within(
    `${stranded} of ${counted(owners, 'account')} with passkeys ${stranded === 1 ? 'has' : 'have'} only some of another domain than ${domain}`,
  );
  const advice = ': infra/aws/moved-domain.md has the steps of a move';
  const copies = `; the counter of a passkey fell in ${counted(fell, 'account')} ("account list --counter-fell"): if no owner has reset the device, ${placeOf('account')}`;
  return {
    check: 'passkeys',
    state: fell > 0 ? 'unknown' : 'ok',
    found: `${found}${stranded > 0 ? advice : ''}${fell > 0 ? copies : ''}`,
  };
}
