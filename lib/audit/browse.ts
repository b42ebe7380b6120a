import type { Query } from '../contract/contract.ts';
import { type AuditItem, type ListedEntry, listedEntrySchema } from '../item/audit-entry.ts';
import { fieldsOf } from '../item/fields.ts';
import type { Runtime } from '../runtime.ts';
import * as keys from '../table/keys.ts';
import { filterText, MAX_EXAMINED, type Page, readPageOf } from '../table/listing.ts';
import { chain, merge, whole } from '../table/merge.ts';
import { foldCase } from '../text/fold-case.ts';
import { DAY_MS, isoOf } from '../time.ts';
import type { contract as browse } from './browse.contract.ts';
import { namedPage } from './names.ts';

type Reading = Pick<Runtime, 'table' | 'now' | 'settings'>;

/** The clock of an operator's machine may be ahead. */
const AHEAD_MS = 300_000;

type Filter = Omit<Query<typeof browse>, 'limit' | 'cursor' | 'names'>;

/**
 * A page of the audit entries of the last `Settings:AuditDays` that match the filter, newest first; the entries of a
 * `target` include those of its tokens. With `actor`, `action`, `outcome`, `batch` or a token as the target, a page examines
 * `examine` entries at most, and may be short or empty before the last. Without them it reads only the returned entries, and
 * with `names` the accounts that they name.
 */
export function browseAudit(
  runtime: Reading,
  { limit, cursor, names, ...filter }: Query<typeof browse>,
  examine = MAX_EXAMINED,
): Promise<Page<ListedEntry>> {
  const { target, since: _, until: __, ...exact } = filter;
  const asked = Object.values(exact).some((value) => value !== undefined);
  const request = {
    limit,
    cursor,
    boundTo: filterText(filter),
    examine: asked || target?.includes('@') ? examine : undefined,
  };
  const list = names ? namedPage : readPageOf<AuditItem, ListedEntry>;
  return list(runtime.table, sourceOf(runtime, filter), request, viewOf(filter));
}

function sourceOf({ table, now, settings }: Reading, { target, since, until }: Filter) {
  const { oldest, newest } = limitsOf(now(), settings.AuditDays, since, until);
  const rangesIn = (bounds: keys.Bounds) => {
    if (bounds.before < oldest) return [];
    return target === undefined
      ? monthsDownTo(bounds).map((month) => keys.auditRanges(month, bounds))
      : [
          subjectsOf(target).flatMap((subject) =>
            LISTS.map((about) => keys.auditRangeOf(subject, bounds, about)),
          ),
        ];
  };
  const from = (before = newest) =>
    chain(
      rangesIn({ after: oldest, before }).map((ranges) =>
        merge(table, ranges, target === undefined ? {} : { share: whole }),
      ),
    );
  return { name: 'AUDIT', from, positionOf: keys.beforeEntry };
}

/** The lists of the entries about a subject. */
const LISTS = ['TARGETS', 'REFUSALS'] as const satisfies readonly keys.About[];

/** The times within which entries are listed. */
export function limitsOf(time: number, days: number, since = 0, until = Number.POSITIVE_INFINITY) {
  return {
    oldest: isoOf(Math.max(since, time - days * DAY_MS)),
    newest: isoOf(Math.min(until, time + AHEAD_MS) + 1),
  };
}

/** Turns an item into its entry, or into undefined if the filter omits it. */
function viewOf({ target, since: _, until: __, ...exact }: Filter) {
  const asked = Object.entries(exact).filter(([, value]) => value !== undefined);
  const isAbout = ({ GSI1PK = '', target: own }: AuditItem) =>
    target === undefined || isSame(keys.subjectOf(GSI1PK), target) || isSame(own, target);
  const entryOf = entryReader();
  const partOf = (item: AuditItem, name: keyof typeof exact) =>
    name === 'batch' ? item.details?.[name] : item[name];
  return (item: AuditItem) =>
    isAbout(item) &&
    asked.every(([name, value]) => isSame(partOf(item, name as keyof typeof exact), value as string))
      ? entryOf(item)
      : undefined;
}

/** Reads the entry in an item. An earlier version stored whatever a line had: undefined for what is no entry. */
export function entryReader() {
  const schema = listedEntrySchema();
  return (item: AuditItem) => schema.safeParse(shown(item)).data as ListedEntry | undefined;
}

/** The subjects that the entries of a target are listed under: itself, and its account if it may be a token. */
const subjectsOf = (target: string) =>
  target.includes('@') ? [target, target.slice(target.indexOf('@') + 1)] : [target];

const shown = fieldsOf(listedEntrySchema);

const isSame = (one: unknown, other: string) => typeof one === 'string' && foldCase(one) === foldCase(other);

/** The months from that of one time down to that of another one, each as `2026-11`. */
function monthsDownTo({ after, before }: keys.Bounds): string[] {
  const [from = 0, to = 0] = [after, before].map(
    (time) => (Number(time.slice(0, 4)) - 2000) * 12 + Number(time.slice(5, 7)) - 1,
  );
  return Array.from({ length: to - from + 1 }, (_, n) => isoOf(Date.UTC(2000, to - n)).slice(0, 7));
}
