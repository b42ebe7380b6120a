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
import { Refusal } from '../refusal.ts';
import type { Target } from '../target.ts';
import { byKey, isDisproved, isOfTable, keyFinding, ownKey } from './erasure-key.ts';

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
  /** Whether only the name is unknown, since its hash is by another key. */
  readonly isRecorded?: true;
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
 * The erasures of the audit log, which outlives a restore, by whether the table knows them. Those that it does not know are of
 * accounts that are back, and of others that it does not have either. Of those that it knows, only proved ones count, and
 * none whose name another account has.
 */
export async function erasuresOf({ audit, runtime: { table } }: Target) {
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
  const accounts = await readAccounts(
    table,
    all.map(({ username }) => username),
  );
  const unknown = all.flatMap((entry, index): Unknown[] => {
    const account = accounts[index];
    // A name that another account got again has another ID.
    return rows[index] ? [] : [{ ...entry, ...(account?.id === entry.erased.erased_id && { account }) }];
  });
  const known = all.flatMap((entry, index): Entry[] => {
    const row = rows[index];
    if (!row || !entry.isProved || accounts[index]) return [];
    const { erased_id, erased_at, erased_by } = row;
    return [{ ...entry, erased: { erased_id, erased_at, erased_by } }];
  });
  return { unknown, known };
}

/** The own key, the names that speak for or against it, and the names that may be given away, as far as that is proved. */
async function namesOf(target: Target) {
  const { unknown, known } = await erasuresOf(target);
  const own = await ownKey(target);
  const names = own ? await byKey(target.runtime.table, own.key, known) : undefined;
  const free = own && isOfTable(own) ? (names?.free ?? []) : [];
  const lost: Unknown[] = [
    ...unknown.filter(({ account, isProved }) => isProved && !account),
    ...free.map((one) => ({ ...one, isRecorded: true as const })),
  ];
  return { own, names, unknown, lost };
}

/** `ada (<id>), erased at <time> by root`. */
export const nameOf = ({ username, erased: { erased_id, erased_at, erased_by } }: Entry) =>
  `${username} (${erased_id}), erased at ${erased_at} by ${erased_by}`;

/** How an account that is back looks. */
const stateOf = ({ account, isRecorded }: Unknown) => {
  if (isRecorded) return 'in the table by another key';
  if (!account) return 'not in the table';
  return `back and ${account.isactive ? 'active' : 'cancelled'}`;
};

/** Whether the key is the one of the erasures, and each erasure that the table does not know, or not by this key. */
export async function erasureFindings(target: Target): Promise<Diagnosis[]> {
  const { own, names, unknown, lost } = await namesOf(target);
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
    keyFinding(own, names),
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
      lost,
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

/**
 * Records the erasures of accounts that the table does not have, or has by another key, as far as they are proved: nobody else
 * gets their names.
 *
 * @throws Refusal `erasure_key_unproved`
 */
export async function recordLost(target: Target): Promise<void> {
  const { own, names, lost } = await namesOf(target);
  // It would write the check value of a key that is another one.
  if (own && own.check === undefined && names && isDisproved(names))
    throw new Refusal('erasure_key_unproved', 'The erasure key is another one');
  // The latest first: it may have been of somebody who had erased others.
  for (const { username, erased } of lost.toSorted((one, other) =>
    one.erased.erased_at < other.erased.erased_at ? 1 : -1,
  ))
    await recordErased(target.runtime, username, erased);
}
