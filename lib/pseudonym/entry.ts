import type { AuditItem } from '../item/audit-entry.ts';
import { isPseudonym } from '../item/erasure.ts';
import { auditPartitionLike, subjectOf } from '../table/keys.ts';
import { foldCase } from '../text/fold-case.ts';
import { remains } from './details.ts';

/** The pseudonym of the erased account that a name means; undefined if it means another one, or none. */
export type Pseudonyms = (name: string) => string | undefined;

/** Details that name an account: the source of a copy, the creator of revoked tokens, the claim of a command, an owner. */
const NAMING = ['source', 'created_by', 'claimed_by', 'machine_owner'] as const;

/** What an entry is about, if that may be an account: teams and keys have names of their own. */
export function accountOf({ action, GSI1PK, target }: Partial<AuditItem>): string | undefined {
  if (/^(admin )?team\b/.test(action ?? '')) return undefined;
  // Earlier versions listed the entries of a token under its own name only.
  if (/^(admin )?token\b/.test(action ?? '') && target?.includes('@'))
    return target.slice(target.indexOf('@') + 1);
  return GSI1PK === undefined ? undefined : subjectOf(GSI1PK);
}

/** The names in an entry that may be of accounts, in lower case. */
export function namesIn(entry: Partial<AuditItem>): string[] {
  const details = NAMING.map((name) => entry.details?.[name]);
  return [entry.actor, accountOf(entry), ...details].flatMap((name) =>
    // Operators are no accounts.
    typeof name === 'string' && name !== '' && !name.includes(':') ? [foldCase(name)] : [],
  );
}

/**
 * The attributes of an entry that change so that it names no erased account; undefined if there are none. Without the person,
 * its credential and its address are of nobody. Of the details about the person, only a closed list {@link remains}.
 */
export function changesOf(entry: Partial<AuditItem>, pseudonyms: Pseudonyms): Partial<AuditItem> | undefined {
  const of = (name: unknown) => (typeof name === 'string' ? pseudonyms(foldCase(name)) : undefined);
  const about = accountOf(entry);
  const [actor, target] = [of(entry.actor), of(about)];
  // Earlier versions left details of entries that had got their pseudonyms.
  const isOfErased =
    target !== undefined || isPseudonym(about ?? '') || (actor !== undefined && entry.target === null);
  const before = Object.entries(entry.details ?? {});
  const after = before.flatMap(([name, value]): (typeof before)[number][] => {
    if (isOfErased) return remains(name, value) ? [[name, value]] : [];
    return [[name, (NAMING.some((one) => one === name) ? of(value) : undefined) ?? value]];
  });
  const isSame = after.length === before.length && after.every(([, value], n) => value === before[n]?.[1]);
  if (actor === undefined && target === undefined && isSame) return undefined;
  return {
    ...(actor !== undefined && { actor, credential: null, source: null, sources: undefined }),
    ...(target !== undefined && { target, GSI1PK: auditPartitionLike(entry.GSI1PK, target) }),
    ...(!isSame && { details: after.length > 0 ? Object.fromEntries(after) : null }),
  };
}
