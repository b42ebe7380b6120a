import { ownedBy } from '#lib/account/machine';
import { relyingPartyId } from '#lib/instance/relying-party';
import { isMachine } from '#lib/item/account';
import type { Runtime } from '#lib/runtime';
import { DIRECTORY } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import type { Diagnosis } from '../diagnosis.ts';
import { counted } from '../terminal/progress.ts';
import { countPasskeys, passkeyFinding } from './passkeys.ts';

/** Accounts of a page, whose passkeys and owners are read at once. */
const PAGE = 100;

/**
 * Reads the accounts once, for the findings about their passkeys and about machines that nobody answers for.
 *
 * @param withinMs time for reading accounts; the rest of a large directory is not counted
 */
export async function accountFindings(
  { table, settings, now }: Pick<Runtime, 'table' | 'settings' | 'now'>,
  withinMs: number,
): Promise<readonly Diagnosis[]> {
  const domain = relyingPartyId(settings);
  const until = now() + withinMs;
  const passkeys = { owners: 0, stranded: 0, fell: 0 };
  let [read, machines, ownerless] = [0, 0, 0];
  let isCut = false;
  for await (const accounts of everythingIn(table, DIRECTORY, PAGE)) {
    const ofPage = accounts.filter(isMachine);
    await countPasskeys(table, accounts, domain, passkeys);
    read += accounts.length;
    machines += ofPage.length;
    ownerless += (await ownedBy(table, ofPage, 'nobody')).length;
    isCut = now() >= until;
    if (isCut) break;
  }
  const within = (found: string) =>
    isCut ? `at least ${found}; only ${counted(read, 'account')} were read` : found;
  return [passkeyFinding(passkeys, domain, within), machineFinding(ownerless, machines, within)];
}

/** A machine whose owner is gone works on, so that is no fault; somebody has to answer for it. */
function machineFinding(ownerless: number, machines: number, within: (found: string) => string): Diagnosis {
  const found = within(`${ownerless} of ${counted(machines, 'machine')} without an active owner`);
  const advice =
    ': "account list --owner-gone" lists them, "account add <machine> --owner <username>" names a person';
  return {
    check: 'machines',
    state: ownerless > 0 ? 'unknown' : 'ok',
    found: `${found}${ownerless > 0 ? advice : ''}`,
  };
}
