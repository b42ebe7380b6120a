import { withDomains } from '#lib/account/enrolments';
import { relyingPartyId } from '#lib/instance/relying-party';
import { hasFallenCounter, hasPasskey } from '#lib/item/account';
import type { Runtime } from '#lib/runtime';
import { DIRECTORY } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { placeOf } from '../../stolen.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { counted } from '../terminal/progress.ts';

/** Accounts of a page, whose passkeys are read at once if an earlier version has enrolled them. */
const PAGE = 100;

/**
 * Counts the accounts that have only passkeys of another domain, as after a move. They log in otherwise, so that is no fault.
 * It also counts those with a passkey whose counter fell: whether its device was reset or copied is unknown.
 *
 * @param withinMs time for reading accounts; the rest of a large directory is not counted
 */
export async function strandedPasskeys(
  { table, settings, now }: Pick<Runtime, 'table' | 'settings' | 'now'>,
  withinMs: number,
): Promise<Diagnosis> {
  const domain = relyingPartyId(settings);
  const until = now() + withinMs;
  let [read, owners, stranded, fell] = [0, 0, 0, 0];
  let isCut = false;
  for await (const accounts of everythingIn(table, DIRECTORY, PAGE)) {
    const owning = accounts.filter(({ passkeys = {} }) => Object.keys(passkeys).length > 0);
    const known = await Promise.all(owning.map((account) => withDomains(table, account)));
    read += accounts.length;
    owners += owning.length;
    fell += accounts.filter(hasFallenCounter).length;
    stranded += known.filter((account) => !hasPasskey(account, domain)).length;
    isCut = now() >= until;
    if (isCut) break;
  }
  const ofThese = `${stranded} of ${counted(owners, 'account')} with passkeys ${stranded === 1 ? 'has' : 'have'} only some of another domain than ${domain}`;
  const found = isCut ? `at least ${ofThese}; only ${counted(read, 'account')} were read` : ofThese;
  const advice = ': infra/aws/moved-domain.md has the steps of a move';
  const copies = `; the counter of a passkey fell in ${counted(fell, 'account')} ("account list --counter-fell"): if no owner has reset the device, ${placeOf('account')}`;
  return {
    check: 'passkeys',
    state: fell > 0 ? 'unknown' : 'ok',
    found: `${found}${stranded > 0 ? advice : ''}${fell > 0 ? copies : ''}`,
  };
}
