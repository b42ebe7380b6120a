import { type AuditItem, ROTATOR } from '../item/audit-entry.ts';
import { pseudonymOf } from '../item/erasure.ts';
import { log } from '../log/log.ts';
import { changesOf, namesIn } from '../pseudonym/entry.ts';
import { erasedAmong } from '../pseudonym/erased.ts';
import type { HashName } from '../pseudonym/name-hash.ts';
import type { Runtime } from '../runtime.ts';
import { putAccepted } from '../table/bulk.ts';
import { actKey, auditIndex, auditKey, type Key, subjectOf } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { DAY_MS } from '../time.ts';
import { fold, groupsOf, isRefusal } from './fold.ts';
import { readLine } from './line.ts';
import { actorOf } from './streams.ts';

/** Logged when lines were left out of the table. */
export const REFUSED = 'Audit lines are not in the table';

/** What storing entries needs; without a hash of names, as in a trial, no account was erased. */
type Storing = Pick<Runtime, 'table' | 'now' | 'settings'> & { readonly hashName?: HashName | undefined };

type Keyed = AuditItem & Key<AuditItem>;

/** Half of the maximum of an item. */
const MAX_BYTES = 200_000;

/**
 * Stores the entries of the audit lines of a stream. A line that was stored before changes nothing; a line that is older than
 * `Settings:AuditDays` is left out. A line that is no entry, is too large or is refused by the table is left out with a
 * warning, and does not affect the others. Refusals of functions are folded.
 *
 * @param source stream of the log that the lines come from, if they were copied
 * @returns the number of lines that were left out with a warning
 */
export async function storeEntries(
  { table, now, settings, hashName }: Storing,
  stream: string,
  lines: readonly string[],
  source = stream,
): Promise<number> {
  const lifetime = settings.AuditDays * DAY_MS;
  const all = [...new Set(lines)];
  const items = all.flatMap((line) => itemOf(stream, line, lifetime) ?? []);
  const current = items.filter(({ ttl }) => ttl * 1000 > now());
  const named = hashName ? await withoutErased(table, hashName, current) : current;
  const isFolded = ({ outcome }: AuditItem) => isRefusal(outcome) && actorOf(stream) === undefined;
  const groups = await groupsOf(table, hashName ?? (async (text) => text), named.filter(isFolded));
  const single = named.filter((item) => !isFolded(item));
  const acts = [
    ...single.flatMap((item) => actOf(item, item)),
    ...groups.flatMap(({ items: [item], key, before }) => (before ? [] : actOf(item, key))),
  ];
  // An act without its entry is nothing; an entry without its act would not be in the export of its actor.
  const refused = (await putAccepted(table, [...acts, ...single])) + (await fold(table, source, groups));
  const count = all.length - items.length + refused;
  if (count > 0) log('warn', { message: REFUSED, count });
  return count;
}

/** What finds the entry of something that an account did to another subject. */
function actOf({ actor, GSI1PK, ttl }: AuditItem, { PK, SK }: Key<AuditItem>) {
  const isOwn = GSI1PK !== undefined && subjectOf(GSI1PK) === actor;
  // Operators, erased persons and nobody have no exports.
  if (actor === null || actor.includes(':') || actor === ROTATOR || isOwn) return [];
  return [{ ...actKey(actor, { PK, SK }), entry_in: PK, ttl }];
}

/** The entries with the pseudonyms of erased accounts: a line may arrive after the erasure of those that it names. */
async function withoutErased(
  table: Table,
  hashName: HashName,
  items: readonly Keyed[],
): Promise<readonly Keyed[]> {
  const erased = await erasedAmong(table, hashName, [...new Set(items.flatMap(namesIn))]);
  return items.map((item) => {
    const pseudonym = (name: string) => {
      const { erased_id, name_reused_at = item.time } = erased.get(name) ?? {};
      // Later, the name means the account that it was given to.
      return erased_id !== undefined && item.time <= name_reused_at ? pseudonymOf(erased_id) : undefined;
    };
    return { ...item, ...changesOf(item, pseudonym) };
  });
}

function itemOf(stream: string, line: string, lifetime: number): Keyed | undefined {
  const { entry, subject } = (Buffer.byteLength(line) <= MAX_BYTES && readLine(stream, line)) || {};
  if (!entry) return undefined;
  // Operators can read the lines of others: a copy in their own stream is another entry.
  const key = auditKey(entry.time, actorOf(stream) === undefined ? line : `${stream}\n${line}`);
  const index = typeof subject === 'string' ? auditIndex(subject, key) : {};
  return { ...key, ...index, ...entry, ttl: Math.ceil((Date.parse(entry.time) + lifetime) / 1000) };
}
