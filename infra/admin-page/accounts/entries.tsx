import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { withoutEndedStarts } from '#lib/audit/starts';
import type { AuditEntry, Page, RequestOptions } from '#lib/client/index';
import { listing } from '#lib/client/listing';
import { isIdLike, isPseudonym } from '#lib/item/erasure';
import { escapeControls } from '#lib/text/control-characters';
import { activity as t } from '#texts/activity';
import { erasure } from '#texts/erasure';
import { locale } from '#texts/locale';
import { sentences } from '#texts/sentences';
import { Button } from '../button.tsx';
import { Download, type FileOptions } from '../download.tsx';
import { Empty } from '../empty.tsx';
import { Filters } from '../filters.tsx';
import { Pages, Pending } from '../listing.tsx';
import { number } from '../locale.ts';
import { roleName } from '../memberships.tsx';
import { Disclosure, Facts } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import type { Paged, Reader } from '../query.ts';
import { client, useOwnName } from '../session.ts';
import { exactly, Time, When } from '../time.tsx';
import { openErasureProof } from './erasure-proof.tsx';
import { OperationDetails, UndoOperation } from './operation.tsx';
import {
  batchOf,
  type Group,
  inverseOf,
  isChange,
  operationKey,
  sizeOf,
  summaryOf,
  takenBackBy,
} from './operations.ts';
import { causeText, fieldName, isFailedLogin, OperationSentence, Sentence } from './sentence.tsx';

/** Lists entries as the command `audit` does, with the present names of people, page by page. */
export const read = (input: Parameters<typeof client.audit.browse>[0], options: RequestOptions) =>
  listing(async (cursor = input?.cursor) => {
    const pages = client.audit.browse({ ...input, names: true, cursor }, options).pages();
    const page = (await pages.next()).value as Page<AuditEntry>;
    return { ...page, items: withoutEndedStarts(page.items) };
  });

/** The time of an entry that people see: of counted refusals that of the last one, not the start of their hour. */
const seenAt = ({ last_at, time }: AuditEntry) => last_at ?? time;

/**
 * The entries of a page by the times that people see, the newest first. Failed logins of a day that have account, source, kind
 * and reason in common are one group, unless something else happened to the account between. So are the entries of an
 * operation, if they are to be one thing.
 */
export function folded(entries: readonly AuditEntry[], hasOperations = false): Group[] {
  const groups: [AuditEntry, ...AuditEntry[]][] = [];
  const open = new Map<string, (typeof groups)[number]>();
  const sorted = entries.toSorted((one, other) =>
    seenAt(one) === seenAt(other) ? 0 : seenAt(one) < seenAt(other) ? 1 : -1,
  );
  for (const entry of sorted) {
    const { action, target, source, outcome, details } = entry;
    const about = isFailedLogin(entry)
      ? JSON.stringify([dayOf(entry), action, target, source, outcome, details?.['cause']])
      : hasOperations
        ? operationKey(entry)
        : undefined;
    const last = about ? open.get(about) : undefined;
    if (last) last.push(entry);
    else {
      const group: (typeof groups)[number] = [entry];
      groups.push(group);
      if (about) open.set(about, group);
    }
    if (!isFailedLogin(entry) && target)
      for (const [key, [first]] of open)
        if (isFailedLogin(first) && first.target === target) open.delete(key);
  }
  return groups;
}

const day = new Intl.DateTimeFormat(locale.dates, { dateStyle: 'full' });
const dayOf = (entry: AuditEntry) => day.format(new Date(seenAt(entry)));

/** Details that are IDs: they are in the data for support. */
const IDS = ['session', 'token_id', 'userid', 'kid', 'batch', 'batch_size'];

const PROOFS: Readonly<Record<string, string>> = {
  code: t.code,
  password: t.password,
  passkey: t.labels.passkey,
};

/** What people call the values of a detail. */
const NAMES: Readonly<Record<string, (name: string) => string>> = {
  fields: fieldName,
  roles_added: roleName,
  roles_removed: roleName,
};

/** A detail of an entry by its name in words; `roles_added` as `Roles added`. */
const labelOf = (name: string) =>
  Object.hasOwn(t.labels, name)
    ? t.labels[name as keyof typeof t.labels]
    : name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

function textOf(value: unknown, name = ''): string {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (name === 'cause') return causeText(value) ?? '';
  if (name === 'proof') return PROOFS[`${value}`] ?? `${value}`;
  const text = [value ?? []].flat().map((one) => NAMES[name]?.(`${one}`) ?? `${one}`);
  return /^\d{4}-\d\d-\d\dT.*Z$/.test(`${text}`) ? exactly(new Date(`${text}`)) : text.join(', ');
}

/** JSON in which no name reorders the text around it. */
const jsonOf = (entry: AuditEntry) =>
  JSON.stringify(entry, null, 2).split('\n').map(escapeControls).join('\n');

/** By what somebody has acted: a token or a trust by its name; sessions have none. */
function credentialIn({ credential }: AuditEntry) {
  if (!credential || isIdLike(credential)) return {};
  const isTrust = credential.startsWith('trust:');
  return isTrust ? { [t.withTrust]: credential.slice('trust:'.length) } : { [t.withToken]: credential };
}

/** All that an entry has, in words, and as its data for support. */
function Exactly({ of }: { readonly of: AuditEntry }) {
  const { time, actor, actor_name, source, requestId, details, count, first_at, last_at, sources } = of;
  const isOfHost = actor?.startsWith('operator:');
  const shown = Object.entries(details ?? {}).flatMap(([name, value]) => {
    const text = IDS.includes(name) ? '' : textOf(value, name);
    return text === '' ? [] : [[labelOf(name), text]];
  });
  const facts = {
    [t.time]: textOf(time),
    ...(count !== undefined && {
      [t.atLeast]: t.times(count),
      [t.first]: textOf(first_at),
      [t.last]: textOf(last_at),
      [t.addresses]: textOf(sources ?? []),
    }),
    ...(actor && !isPseudonym(actor) && { [t.doneBy]: actor_name ? `${actor_name} (${actor})` : actor }),
    ...credentialIn(of),
    ...(source && { [isOfHost ? t.host : t.from]: source }),
    ...Object.fromEntries(shown),
  };
  const batch = batchOf(of);
  const size = sizeOf(of) ?? 1;
  return (
    <>
      <Facts of={facts} />
      {batch && size > 1 && (
        <p>
          {t.isPart(size)} <a href={hrefTo('audit', { batch })}>{t.showAll}</a>
        </p>
      )}
      <Disclosure title={t.technical}>
        <Facts of={{ [t.requestId]: requestId }} />
        <pre>{jsonOf(of)}</pre>
      </Disclosure>
    </>
  );
}

/** When entries of a day were written, or the refusals that they count. */
function Times({ of }: { readonly of: Group }) {
  const oldest = of
    .map(({ first_at, time }) => first_at ?? time)
    .reduce((one, other) => (one < other ? one : other));
  const newest = of.map(seenAt).reduce((one, other) => (one > other ? one : other));
  const isToday = dayOf(of[0]) === day.format(Date.now());
  const isMinute = oldest.slice(0, 16) === newest.slice(0, 16);
  if (isMinute && isToday) return <Time of={newest} />;
  return (
    <>
      {!isMinute && [<When key="oldest" of={oldest} isClock />, t.to]}
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

interface DetailsProps {
  readonly children: () => ComponentChildren;
}

/** What is drawn only when a person opens it. */
function Details({ children }: DetailsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span>{t.details}</span>
      </summary>
      {isOpen && children()}
    </details>
  );
}

/** The ID of the account that an entry has erased, or found erased. */
function erasedIn({ action, outcome, details }: AuditEntry): string | undefined {
  const userid = details?.['userid'];
  const isErasure = /^(account\.erase|admin account erase|admin restore erase-again)$/.test(action);
  return isErasure && outcome === 'ok' && typeof userid === 'string' ? userid : undefined;
}

/** The proof of an erasure, as a document to print. */
const Proof = ({ userid }: { readonly userid: string }) => (
  <Button onClick={() => openErasureProof(userid)}>{erasure.title}</Button>
);

/** A sentence with its time; on demand, all that its entries have. */
const EntryRow = ({
  of,
  userid = erasedIn(of[0]),
}: {
  readonly of: Group;
  readonly userid?: string | undefined;
}) => (
  <li class="entry row">
    <span>
      <Sentence of={of[0]} count={timesOf(of)} />{' '}
      <span class="faint">
        · <Times of={of} />
      </span>
    </span>
    {userid && <Proof userid={userid} />}
    <Details>{() => of.map((entry) => <Exactly key={keyOf(entry)} of={entry} />)}</Details>
  </li>
);

/** Who has done something, after “by”. */
const nameOf = ({ actor, actor_name }: AuditEntry) =>
  isPseudonym(actor ?? '') ? sentences.dative.erased : actor_name || actor;

interface OperationRowProps {
  readonly of: Group;
  /** The entries of the page: another one may have taken it back. */
  readonly among: readonly AuditEntry[];
  readonly after: () => void;
}

/** What was done to several people at once, with a button that takes it back. */
function OperationRow({ of, among, after }: OperationRowProps) {
  const own = useOwnName();
  const { size } = summaryOf(of);
  const some = timesOf(of);
  const back = takenBackBy(of, among);
  // The part of it on another page may be as it was left.
  const canUndo = (!back || some < size) && of.some(inverseOf);
  return (
    <li class="entry row">
      <span>
        <OperationSentence of={of} />{' '}
        <span class="faint">
          · <Times of={of} />
          {some < size && ` · ${t.shown(some, size)}`}
          {back && ' · '}
          {back &&
            t.takenBack(
              <When key="time" of={back.time} />,
              back.actor === own ? t.byYou : <bdi key="actor">{nameOf(back)}</bdi>,
            )}
        </span>
      </span>
      {canUndo && <UndoOperation of={of} after={after} />}
      <Details>{() => <OperationDetails of={of} />}</Details>
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
  /** Whether the entries of an operation are one thing. */
  readonly hasOperations?: boolean;
}

/** A page of entries as sentences under their days. */
export function Entries({
  list,
  caption,
  empty,
  file,
  heading: Heading,
  hasOperations = false,
}: EntriesProps) {
  const { items, next_cursor } = list.data ?? { items: [] };
  const days = Map.groupBy(folded(items, hasOperations), ([entry]) => dayOf(entry));
  const isOperation = (group: Group) =>
    hasOperations && operationKey(group[0]) !== undefined && isOfMany(group);
  return (
    <>
      <Filters {...list} />
      <Pending {...list} />
      {list.data && items.length === 0 && <Empty>{next_cursor ? t.noMatchYet : empty}</Empty>}
      <div aria-busy={list.isLoading}>
        {[...days].map(([name, groups]) => (
          <section key={name} class="day">
            <Heading>{name}</Heading>
            <ul class="entries card" aria-label={name}>
              {groups.map((group) =>
                isOperation(group) ? (
                  <OperationRow key={keyOf(group[0])} of={group} among={items} after={list.reload} />
                ) : (
                  <EntryRow key={keyOf(group[0])} of={group} />
                ),
              )}
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

/** Whether an operation is one of several people: a batch of refused logins, say, is none. */
const isOfMany = (group: Group) => summaryOf(group).size > 1 && (group.length > 1 || group.some(isChange));
