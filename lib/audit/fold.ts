import { createHash } from 'node:crypto';
import { PATIENT } from '../async/retry.ts';
import { FAILURES, type FailureCode } from '../failure/codes.ts';
import type { AuditItem } from '../item/audit-entry.ts';
import { forEach, isInvalid } from '../table/bulk.ts';
import { assign } from '../table/expressions.ts';
import { auditIndex, auditKey, type Key, subjectOf } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { update } from '../table/write.ts';

/** Source addresses that an entry has at most. */
export const MAX_SOURCES = 10;

/** Hash of what refusals have in common. */
export type Hash = (text: string) => Promise<string>;

/** Whether an outcome refuses a credential, a permission or an attempt: 401, 403 or 429. */
export const isRefusal = (outcome: string) =>
  Object.hasOwn(FAILURES, outcome) && [401, 403, 429].includes(FAILURES[outcome as FailureCode].status);

/** Refusals of an hour that are one entry, oldest first. */
export interface Refusals {
  readonly key: Key<AuditItem>;
  readonly items: readonly [AuditItem, ...AuditItem[]];
  /** The entry as it was read; undefined if there is none. */
  readonly before: AuditItem | undefined;
}

const common = ({ time, actor, action, target, GSI1PK, outcome, details }: AuditItem) =>
  JSON.stringify([hourOf(time), actor, action, target, GSI1PK, outcome, details?.['cause']]);

const inHour = ({ time }: AuditItem) => Date.parse(time) - Date.parse(hourOf(time));

/** The start of an hour: `2026-11-20T11:00:00.000Z`. */
const hourOf = (time: string) => `${time.slice(0, 13)}:00:00.000Z`;

/**
 * Groups refusals by hour, actor, action, target and cause, and reads the entry of each group. A key has a hash of them, and
 * outlives the erasure of a person: only with a key of its own does the hash reveal no name.
 */
export async function groupsOf(table: Table, hash: Hash, items: readonly AuditItem[]): Promise<Refusals[]> {
  const sorted = items.toSorted((one, other) => (one.time < other.time ? -1 : 1));
  const groups = [...Map.groupBy(sorted, common)] as [string, [AuditItem, ...AuditItem[]]][];
  const keys = await Promise.all(groups.map(([text, [first]]) => keyOf(first, text, hash)));
  const found = await getAll(table, keys);
  return Promise.all(
    groups.map(async ([text, same], index): Promise<Refusals> => {
      const [key, before] = [keys[index] as Key<AuditItem>, found[index]];
      if (!before || isOfSame(before, same[0])) return { key, items: same, before };
      // Its person was erased, and another one has the name since.
      const another = await keyOf(same[0], `${text} again`, hash);
      return { key: another, items: same, before: (await getAll(table, [another]))[0] };
    }),
  );
}

const keyOf = async ({ time }: AuditItem, text: string, hash: Hash) =>
  auditKey(hourOf(time), await hash(createHash('sha256').update(text).digest('hex')));

const isOfSame = (one: AuditItem, other: AuditItem) =>
  one.actor === other.actor && one.target === other.target;

/**
 * Adds refusals to their entries. Lines that are sent again change nothing: of a log stream, only lines after the last counted
 * one count. Lines of the same millisecond, and streams that share a mark ({@link markOf}), make the count a minimum.
 *
 * @param stream of the log that the lines are from
 * @returns the number of lines that the table refuses
 */
export async function fold(table: Table, stream: string, groups: readonly Refusals[]): Promise<number> {
  let refused = 0;
  await forEach(groups, async ({ key, items, before }) => {
    try {
      await optimistically(
        before,
        async (current) => {
          const after = next(current, key, items, stream);
          const { count, actor, target } = current ?? {};
          return after && update(table, { Key: { ...key }, ...assign(after, { count, actor, target }) });
        },
        PATIENT.attempts,
      );
    } catch (error) {
      if (!isInvalid(error)) throw error;
      refused += items.length;
    }
  });
  return refused;
}

/** Log streams of which an entry has a mark each; further ones share one, so that an entry has a bounded size. */
const MAX_MARKS = 32;

/** The mark of a log stream, in milliseconds since the start of the hour: the time of its last counted line. */
function markOf(stream: string, marks: NonNullable<AuditItem['counted_until']>): string {
  const own = createHash('sha256').update(stream).digest('base64url').slice(0, 6);
  return own in marks || Object.keys(marks).length < MAX_MARKS ? own : 'others';
}

/** The attributes of an entry that change with more refusals; undefined if none of them is new. */
function next(
  before: AuditItem | undefined,
  key: Key<AuditItem>,
  items: readonly AuditItem[],
  stream: string,
): Partial<AuditItem> | undefined {
  const marks = before?.counted_until ?? {};
  const mark = markOf(stream, marks);
  const more = items.filter((item) => inHour(item) > (marks[mark] ?? -1));
  const [first, last] = [more[0], more.at(-1)];
  if (!first || !last) return undefined;
  const { count = 0, first_at = first.time, last_at = last.time, sources = [] } = before ?? {};
  const addresses = new Set([...sources, ...more.flatMap(({ source }) => source ?? [])]);
  const { credential, details, source, requestId } = last;
  return {
    ...(before ? {} : created(last, key)),
    ...(last.time >= last_at && { credential, details, source, requestId }),
    count: count + more.length,
    first_at: first.time < first_at ? first.time : first_at,
    last_at: last.time > last_at ? last.time : last_at,
    sources: [...addresses].slice(0, MAX_SOURCES),
    counted_until: { ...marks, [mark]: inHour(last) },
  };
}

/** What a new entry has. Refusals of others are apart from the other entries about their subject. */
function created(item: AuditItem, key: Key<AuditItem>): Partial<AuditItem> {
  const { actor, action, target, outcome, changed, GSI1PK, ttl } = item;
  const subject = GSI1PK && subjectOf(GSI1PK);
  const index = subject ? auditIndex(subject, key, subject === actor ? 'TARGETS' : 'REFUSALS') : {};
  return { ...index, time: hourOf(item.time), actor, action, target, outcome, changed, ttl };
}
