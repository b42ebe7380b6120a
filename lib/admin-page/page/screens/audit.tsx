import { useEffect } from 'preact/hooks';
import { withoutEndedStarts } from '../../../audit/starts.ts';
import type { AuditEntry, Page, RequestOptions } from '../../../client/index.ts';
import { listing } from '../../../client/listing.ts';
import type { FieldProps } from '../form.tsx';
import { Listing, ListPart, show } from '../listing.tsx';
import { useOutcome } from '../notice.tsx';
import { Section } from '../parts.tsx';
import { useList } from '../query.ts';
import { client } from '../session.ts';
import type { Read } from './account.tsx';

const did = ({ action, outcome }: AuditEntry) => (
  <span class="row">
    {action}
    {outcome !== 'ok' && <span class={`badge ${outcome === 'started' ? 'faint' : 'bad'}`}>{outcome}</span>}
  </span>
);

/** An operator may claim any name: only the other one is proved. */
const by = ({ actor, details }: AuditEntry) => (
  <span class="row">
    <bdi>{actor}</bdi>
    {details?.['claimed_by'] && <span class="badge faint">unproved: {details['claimed_by']}</span>}
  </span>
);

const COLUMNS = [
  ...show<AuditEntry>({ Time: 'time' }),
  { label: 'Actor', cell: by },
  { label: 'Action', cell: did },
  ...show<AuditEntry>({ Target: 'target', Details: 'details', Request: 'requestId' }),
];

const keyOf = ({ time, requestId, action }: AuditEntry) => `${time} ${requestId} ${action}`;

/** Lists entries as the command `audit` does, page by page. */
const read = (input: Parameters<typeof client.audit.browse>[0], options: RequestOptions) =>
  listing(async (cursor = input?.cursor) => {
    const pages = client.audit.browse({ ...input, cursor }, options).pages();
    const page = (await pages.next()).value as Page<AuditEntry>;
    return { ...page, items: withoutEndedStarts(page.items) };
  });

/** When the history is read again after an action, in seconds: a new entry takes up to a minute. */
const AGAIN = [1, 3, 7, 15, 31, 63];

/** The history of an account, until it has what was just done. */
export function History({ item }: Read) {
  const { done } = useOutcome();
  const list = useList((page, options) => read({ target: item.username, ...page }, options), {
    inputs: [item],
    at: 'history',
  });
  const isNew = done?.requestId && !list.data?.items.some(({ requestId }) => requestId === done.requestId);
  useEffect(() => {
    const timers = isNew ? AGAIN.map((seconds) => setTimeout(list.reload, seconds * 1000)) : [];
    return () => timers.map(clearTimeout);
  }, [done, isNew]);
  return (
    <Section title="History">
      {isNew && <p role="status">{done.message}: this appears here within a minute.</p>}
      <Listing list={list} caption="History" keyOf={keyOf} empty="There are no entries." columns={COLUMNS} />
    </Section>
  );
}

const FILTERS: readonly FieldProps[] = [
  { name: 'actor', label: 'Actor', hint: 'Whole username' },
  { name: 'target', label: 'Target', hint: 'Whole username' },
  { name: 'action', label: 'Action', placeholder: 'account.lock' },
  { name: 'outcome', label: 'Outcome', placeholder: 'ok' },
  { name: 'since', label: 'Since', type: 'datetime-local', hint: 'Enter date and time' },
  { name: 'until', label: 'Until', type: 'datetime-local', hint: 'Enter date and time' },
];

export const Audit = () => (
  <ListPart
    read={read}
    filters={FILTERS}
    file={{ name: 'audit.csv' }}
    caption="Audit"
    title=""
    keyOf={keyOf}
    empty="No entry matches. Filters match whole values, and a new entry appears within a minute."
    columns={COLUMNS}
  />
);
