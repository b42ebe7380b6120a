import { readAccounts } from '#lib/account/account';
import { contract } from '#lib/erasure/erase.contract';
import { recordErased } from '#lib/erasure/record';
import type { Account } from '#lib/item/account';
import type { AuditEntry } from '#lib/item/audit-entry';
import type { Erased } from '#lib/item/erasure';
import { erasedIdKey } from '#lib/table/keys';
import { getAll } from '#lib/table/read';
import type { Diagnosis } from '../diagnosis.ts';
import { isErasure } from '../erased-person.ts';
import type { Target } from '../target.ts';

/** Names of the checks: accounts that are back, names that may be given away, and lines that prove nothing. */
export const ERASURES = {
  back: 'erased_accounts',
  lost: 'erased_names',
  unproved: 'unproved_erasures',
} as const;

/** Actions whose entries are about the erasure of an account. */
const ACTIONS = [contract.id, 'admin account erase', 'admin restore erase-again'];

/** An erasure of the audit log. */
interface Entry {
  readonly username: string;
  readonly erased: Erased;
  /** Whether its stream proves that a function or an administrator wrote it. */
  readonly isProved: boolean;
}

/** One that the table does not know, with its account if that is back. */
export interface Unknown extends Entry {
  readonly account?: Account | undefined;
}

/** The erasure that an entry is about; none if it was a repeat. */
function erasureIn(
  { actor, target: username, time, changed, details }: AuditEntry,
  isProved: boolean,
): Entry[] {
  const { userid: erased_id, erased_at = time } = details ?? {};
  if (!changed || actor === null || username === null || !isErasure(username, erased_id)) return [];
  return [{ username, erased: { erased_id, erased_at: `${erased_at}`, erased_by: actor }, isProved }];
}

/**
 * The erasures of the audit log, which outlives a restore, that the table does not know: of accounts that are back, and of
 * those that it does not have either. A name that another account got again has another ID.
 */
export async function unknownErasures({ audit, runtime: { table } }: Target): Promise<Unknown[]> {
  const read = await Promise.all(ACTIONS.map((action) => audit.readApart({ action, outcome: 'ok' })));
  // A proved erasure replaces an unproved one.
  const entries = (['unproved', 'proved'] as const).flatMap((kind) =>
    read.flatMap((all) => all[kind].flatMap((entry) => erasureIn(entry, kind === 'proved'))),
  );
  const all = [...new Map(entries.map((entry) => [entry.erased.erased_id, entry])).values()];
  const rows = await getAll(
    table,
    all.map(({ erased }) => erasedIdKey(erased.erased_id)),
  );
  const unknown = all.filter((_, index) => rows[index] === undefined);
  const accounts = await readAccounts(
    table,
    unknown.map(({ username }) => username),
  );
  return unknown.map((entry, index) => {
    const account = accounts[index];
    return { ...entry, ...(account?.id === entry.erased.erased_id && { account }) };
  });
}

/** `ada (<id>), erased at <time> by root`. */
export const nameOf = ({ username, erased: { erased_id, erased_at, erased_by } }: Entry) =>
  `${username} (${erased_id}), erased at ${erased_at} by ${erased_by}`;

/** How an account that is back looks. */
const stateOf = ({ account }: Unknown) => {
  if (!account) return 'not in the table';
  return `back and ${account.isactive ? 'active' : 'cancelled'}`;
};

/** Each erasure that the table does not know. */
export async function erasureFindings(target: Target): Promise<Diagnosis[]> {
  const unknown = await unknownErasures(target);
  const { yes: proved = [], no: unproved = [] } = Object.groupBy(unknown, ({ isProved }) =>
    isProved ? 'yes' : 'no',
  );
  const findings = (
    check: string,
    state: Diagnosis['state'],
    all: readonly Unknown[],
    none: string,
    what: string,
  ) =>
    all.length === 0
      ? [{ check, state: 'ok' as const, found: none }]
      : all.map((one) => ({ check, state, found: `${nameOf(one)}: ${stateOf(one)}; ${what}` }));
  return [
    ...findings(
      ERASURES.back,
      'wrong',
      proved.filter(({ account }) => account),
      'no erased account is back',
      '"restore erase-again" erases it',
    ),
    ...findings(
      ERASURES.lost,
      'missing',
      proved.filter(({ account }) => !account),
      'no name of an erased account may be given away',
      'the name may be given away',
    ),
    ...findings(
      ERASURES.unproved,
      'unknown',
      unproved,
      'the table knows all erasures of lines that prove nothing',
      'unproved: whoever may write this stream may have made it up',
    ),
  ];
}

/** Records the erasures of accounts that the table does not have, as far as they are proved: nobody else gets their names. */
export async function recordLost(target: Target): Promise<void> {
  const lost = (await unknownErasures(target)).filter(({ account, isProved }) => isProved && !account);
  // The latest first: it may have been of somebody who had erased others.
  for (const { username, erased } of lost.toSorted((one, other) =>
    one.erased.erased_at < other.erased.erased_at ? 1 : -1,
  ))
    await recordErased(target.runtime, username, erased);
}
