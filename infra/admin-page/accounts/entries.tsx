import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { withoutEndedStarts } from '#lib/audit/starts';
import type { AuditEntry, Page, RequestOptions } from '#lib/client/index';
import { listing } from '#lib/client/listing';
import { escapeControls } from '#lib/text/control-characters';
import { Download, type FileOptions } from '../download.tsx';
import { Empty } from '../empty.tsx';
import { Filters } from '../filters.tsx';
import { Pages, Pending } from '../listing.tsx';
import { Facts } from '../parts.tsx';
import type { Paged, Reader } from '../query.ts';
import { client } from '../session.ts';
import { exactly, Time, When } from '../time.tsx';
import { isFailedLogin, Sentence } from './sentence.tsx';

/** Lists entries as the command `audit` does, page by page. */
export const read = (input: Parameters<typeof client.audit.browse>[0], options: RequestOptions) =>
  listing(async (cursor = input?.cursor) => {
    const pages = client.audit.browse({ ...input, cursor }, options).pages();
    const page = (await pages.next()).value as Page<AuditEntry>;
    return { ...page, items: withoutEndedStarts(page.items) };
  });

/** Entries that one sentence tells, the newest first. */
type Group = readonly [AuditEntry, ...AuditEntry[]];

/** Folds failed logins of a day that have account, source, kind and reason in common, unless something else happened to the account between. */
export function folded(entries: readonly AuditEntry[]): Group[] {
  const groups: [AuditEntry, ...AuditEntry[]][] = [];
  const open = new Map<string, (typeof groups)[number]>();
  for (const entry of entries) {
    const { action, target, source, outcome, details } = entry;
    const about = JSON.stringify([dayOf(entry), action, target, source, outcome, details?.['cause']]);
    const last = isFailedLogin(entry) ? open.get(about) : undefined;
    if (last) last.push(entry);
    else {
      const group: (typeof groups)[number] = [entry];
      groups.push(group);
      if (isFailedLogin(entry)) open.set(about, group);
      else if (target) for (const [key, [{ target: other }]] of open) if (other === target) open.delete(key);
    }
  }
  return groups;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const dayOf = ({ time }: AuditEntry) => day.format(new Date(time));

/** `roles_added` as `Roles added`. */
const labelOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

const textOf = (value: unknown) => {
  const text = [value].flat().join(', ');
  return /^\d{4}-\d\d-\d\dT.*Z$/.test(text) ? exactly(new Date(text)) : text;
};

/** JSON in which no name reorders the text around it. */
const jsonOf = (entry: AuditEntry) =>
  JSON.stringify(entry, null, 2).split('\n').map(escapeControls).join('\n');

/** All that an entry has, exactly. */
function Exactly({ of }: { readonly of: AuditEntry }) {
  const { time, actor, credential, source, requestId, details, count, first_at, last_at, sources } = of;
  const facts = {
    Time: textOf(time),
    ...(count !== undefined && {
      'At least': `${count} times`,
      First: textOf(first_at),
      Last: textOf(last_at),
      'From addresses': textOf(sources ?? []),
    }),
    'Done by': actor,
    'With token or session': credential,
    From: source,
    'Request ID': requestId,
    ...Object.fromEntries(
      Object.entries(details ?? {}).map(([name, value]) => [labelOf(name), textOf(value)]),
    ),
  };
  return (
    <>
      <Facts of={facts} />
      <pre>{jsonOf(of)}</pre>
    </>
  );
}

/** When entries of a day were written, or the refusals that they count. */
function Times({ of }: { readonly of: Group }) {
  const oldest = of
    .map(({ first_at, time }) => first_at ?? time)
    .reduce((one, other) => (one < other ? one : other));
  const newest = of
    .map(({ last_at, time }) => last_at ?? time)
    .reduce((one, other) => (one > other ? one : other));
  const isToday = dayOf(of[0]) === day.format(Date.now());
  if (oldest === newest && isToday) return <Time of={newest} />;
  return (
    <>
      {oldest.slice(0, 16) !== newest.slice(0, 16) && [<When key="oldest" of={oldest} isClock />, ' to ']}
      <When of={newest} isClock />
    </>
  );
}

/** How often something of a group has happened, at least. */
const timesOf = (group: Group) => group.reduce((sum, { count = 1 }) => sum + count, 0);

/** The columns of a file: all of its rows have those of the first. */
const rowOf = ({ count, first_at, last_at, sources, ...entry }: AuditEntry) => ({
  ...entry,
  count: count ?? 1,
  first_at: first_at ?? entry.time,
  last_at: last_at ?? entry.time,
  sources: sources ?? entry.source,
});

/** A sentence with its time; on demand, all that its entries have. */
function Entry({ of }: { readonly of: Group }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="entry row">
      <span>
        <Sentence of={of[0]} count={timesOf(of)} />{' '}
        <span class="faint">
          · <Times of={of} />
        </span>
      </span>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span>Details</span>
        </summary>
        {isOpen && of.map((entry) => <Exactly key={keyOf(entry)} of={entry} />)}
      </details>
    </li>
  );
}

const keyOf = ({ time, requestId, action, target }: AuditEntry) => `${time} ${requestId} ${action} ${target}`;

interface EntriesProps {
  readonly list: Paged<Page<AuditEntry>>;
  readonly caption: string;
  readonly empty: ComponentChildren;
  readonly file?: FileOptions;
  /** Level of the headings of its days. */
  readonly heading: 'h2' | 'h3';
}

/** A page of entries as sentences under their days. */
export function Entries({ list, caption, empty, file, heading: Heading }: EntriesProps) {
  const { items, next_cursor } = list.data ?? { items: [] };
  const days = Map.groupBy(folded(items), ([entry]) => dayOf(entry));
  return (
    <>
      <Filters {...list} />
      <Pending {...list} />
      {list.data && items.length === 0 && (
        <Empty>{next_cursor ? 'No match so far. Continue with the next page.' : empty}</Empty>
      )}
      <div aria-busy={list.isLoading}>
        {[...days].map(([name, groups]) => (
          <section key={name} class="day">
            <Heading>{name}</Heading>
            <ul class="entries card" aria-label={name}>
              {groups.map((group) => (
                <Entry key={keyOf(group[0])} of={group} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Pages list={list} caption={caption} />
      {file && (items.length > 0 || next_cursor) && (
        <Download rowOf={rowOf} {...file} read={list.readAll as Reader<Page<object>>} />
      )}
    </>
  );
}
