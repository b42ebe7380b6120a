import type { Query } from '../contract/contract.ts';
import { type AuditEntry, type AuditItem, auditEntrySchema } from '../item/audit-entry.ts';
import { fieldsOf } from '../item/fields.ts';
import type { Runtime } from '../runtime.ts';
import * as keys from '../table/keys.ts';
import { filterText, MAX_EXAMINED, type Page, type Room, readPageOf, readStart } from '../table/listing.ts';
import { chain, merge } from '../table/merge.ts';
import { foldCase } from '../text/fold-case.ts';
import { DAY_MS, isoOf } from '../time.ts';
import type { contract as browse } from './browse.contract.ts';

type Reading = Pick<Runtime, 'table' | 'now' | 'settings'>;

/** The clock of an operator's machine may be ahead. */
const AHEAD_MS = 300_000;

type Filter = Omit<Query<typeof browse>, 'limit' | 'cursor'>;

/**
 * A page of the audit entries of the last `Settings:AuditDays` that match the filter, newest first; the entries of a
 * `target` include those of its tokens. With `actor`, `action`, `outcome` or a token as the target, a page examines
 * `examine` entries at most, and may be short or empty before the last. Without them it reads only the returned entries.
 */
export function browseAudit(
  runtime: Reading,
  { limit, cursor, ...filter }: Query<typeof browse>,
  examine = MAX_EXAMINED,
): Promise<Page<AuditEntry>> {
  const { target, since: _, until: __, ...exact } = filter;
  const asked = Object.values(exact).some((value) => value !== undefined);
  const request = {
    limit,
    cursor,
    boundTo: filterText(filter),
    examine: asked || target?.includes('@') ? examine : undefined,
  };
  return readPageOf(runtime.table, sourceOf(runtime, filter), request, viewOf(filter));
}

/** The newest audit entries about an account and its tokens, as many as an answer has room for. */
export const newestAbout = (runtime: Reading, target: string, fits: Room) =>
  readStart(sourceOf(runtime, { target }), fits, viewOf({ target }));

function sourceOf(
  { table, now, settings }: Reading,
  { target, since = 0, until = Number.POSITIVE_INFINITY }: Filter,
) {
  const time = now();
  const oldest = isoOf(Math.max(since, time - settings.AuditDays * DAY_MS));
  const newest = isoOf(Math.min(until, time + AHEAD_MS) + 1);
  const rangesIn = (bounds: keys.Bounds) => {
    if (bounds.before < oldest) return [];
    return target === undefined
      ? monthsDownTo(bounds).map((month) => keys.auditRanges(month, bounds))
      : [subjectsOf(target).map((subject) => keys.auditRangeOf(subject, bounds))];
  };
  const from = (before = newest) =>
    chain(rangesIn({ after: oldest, before }).map((ranges) => merge(table, ranges)));
  return { name: 'AUDIT', from, positionOf: keys.beforeEntry };
}

/** Turns an item into its entry, or into undefined if the filter omits it. */
function viewOf({ target, since: _, until: __, ...exact }: Filter) {
  const asked = Object.entries(exact).filter(([, value]) => value !== undefined);
  const isAbout = ({ GSI1PK, target: own }: AuditItem) =>
    target === undefined || GSI1PK === keys.auditPartition(target) || isSame(own, target);
  // An earlier version stored whatever a line had: what is no entry is omitted.
  const schema = auditEntrySchema();
  return (item: AuditItem) =>
    isAbout(item) && asked.every(([name, value]) => isSame(item[name as keyof typeof exact], value as string))
      ? (schema.safeParse(shown(item)).data as AuditEntry | undefined)
      : undefined;
}

/** The subjects that the entries of a target are listed under: itself, and its account if it may be a token. */
const subjectsOf = (target: string) =>
  target.includes('@') ? [target, target.slice(target.indexOf('@') + 1)] : [target];

const shown = fieldsOf(auditEntrySchema);

const isSame = (one: unknown, other: string) => typeof one === 'string' && foldCase(one) === foldCase(other);

/** The months from that of one time down to that of another one, each as `2026-11`. */
function monthsDownTo({ after, before }: keys.Bounds): string[] {
  const [from = 0, to = 0] = [after, before].map(
    (time) => (Number(time.slice(0, 4)) - 2000) * 12 + Number(time.slice(5, 7)) - 1,
  );
  return Array.from({ length: to - from + 1 }, (_, n) => isoOf(Date.UTC(2000, to - n)).slice(0, 7));
}
