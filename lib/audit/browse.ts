import type { Query } from '../contract/contract.ts';
import { type AuditEntry, type AuditItem, auditEntrySchema } from '../item/audit-entry.ts';
import { fieldsOf } from '../item/fields.ts';
import type { Runtime } from '../runtime.ts';
import * as keys from '../table/keys.ts';
import { filterText, MAX_EXAMINED, type Page, readPageOf } from '../table/listing.ts';
import { chain, merge } from '../table/merge.ts';
import { foldCase } from '../text/fold-case.ts';
import { DAY_MS, isoOf } from '../time.ts';
import type { contract as browse } from './browse.contract.ts';

/** The clock of an operator's machine may be ahead. */
const AHEAD_MS = 300_000;

/**
 * A page of the audit entries of the last `Settings:AuditDays` that match the filter, newest first; the entries of a
 * `target` include those of its tokens. With `actor`, `action`, `outcome` or a token as the target, a page examines
 * `examine` entries at most, and may be short or empty before the last. Without them it reads only the returned entries.
 *
 * @param otherBytes of the answer that has the page as a part
 */
export function browseAudit(
  { table, now, settings }: Pick<Runtime, 'table' | 'now' | 'settings'>,
  { limit, cursor, ...filter }: Query<typeof browse>,
  examine = MAX_EXAMINED,
  otherBytes = 0,
): Promise<Page<AuditEntry>> {
  const { target, since = 0, until = Number.POSITIVE_INFINITY, ...exact } = filter;
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
  const source = { name: 'AUDIT', from, positionOf: keys.beforeEntry };
  const asked = Object.entries(exact).filter(([, value]) => value !== undefined);
  const isAbout = ({ GSI1PK, target: own }: AuditItem) =>
    target === undefined || GSI1PK === keys.auditPartition(target) || isSame(own, target);
  const request = {
    limit,
    cursor,
    boundTo: filterText(filter),
    examine: asked.length > 0 || target?.includes('@') ? examine : undefined,
    otherBytes,
  };
  // An earlier version stored whatever a line had: what is no entry is omitted.
  const schema = auditEntrySchema();
  return readPageOf(table, source, request, (item) =>
    isAbout(item) && asked.every(([name, value]) => isSame(item[name as keyof typeof exact], value as string))
      ? schema.safeParse(shown(item)).data
      : undefined,
  );
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
