import type { AuditEntry, RequestOptions } from '../../../client/index.ts';
import { Download } from '../download.tsx';
import { Filters } from '../filters.tsx';
import type { FieldProps } from '../form.tsx';
import { Listing, ListPart, show } from '../listing.tsx';
import { type State, usePlace } from '../place.ts';
import { useList } from '../query.ts';
import type { Read } from '../read-account.ts';
import { client } from '../session.ts';
import { instant } from '../time.tsx';
import { Badge } from './accounts.tsx';

const did = ({ action, outcome }: AuditEntry) => (
  <span class="row">
    {action}
    {outcome !== 'ok' && <Badge kind="bad">{outcome}</Badge>}
  </span>
);

const COLUMNS = [
  ...show<AuditEntry>({ Time: 'time', Actor: 'actor' }),
  { label: 'Action', cell: did },
  ...show<AuditEntry>({ Target: 'target', Details: 'details', Request: 'requestId' }),
];

const keyOf = ({ time, requestId, action }: AuditEntry) => `${time} ${requestId} ${action}`;

/** The history of an account. */
export const History = ({ item }: Read) => (
  <>
    <ListPart
      read={(page, options) => client.audit.browse({ target: item.username, ...page }, options)}
      inputs={[item]}
      at="history"
      caption="History"
      keyOf={keyOf}
      empty="No entry is kept."
      columns={COLUMNS}
    />
    <p class="faint">A new entry takes up to a minute. Reload the page to see it.</p>
  </>
);

const FILTERS: readonly FieldProps[] = [
  { name: 'actor', label: 'Actor', placeholder: 'Whole username' },
  { name: 'target', label: 'Target', placeholder: 'Whole username' },
  { name: 'action', label: 'Action', placeholder: 'account.lock' },
  { name: 'outcome', label: 'Outcome', placeholder: 'ok' },
  { name: 'since', label: 'Since', type: 'datetime-local' },
  { name: 'until', label: 'Until', type: 'datetime-local' },
];

const filterOf = ({ actor, target, action, outcome, since, until }: State) => ({
  ...{ actor, target, action, outcome },
  since: since && instant(since),
  until: until && instant(until),
});

export function Audit() {
  const filter = filterOf(usePlace().state);
  const read = (page: object, options: RequestOptions) =>
    client.audit.browse({ ...filter, ...page }, options);
  const list = useList(read, [JSON.stringify(filter)]);
  return (
    <>
      <Filters of={FILTERS} />
      <Download name="audit.csv" read={read} />
      <Listing
        list={list}
        caption="Audit"
        keyOf={keyOf}
        empty="No entry matches. Filters match whole values, and a new entry appears within a minute."
        columns={COLUMNS}
      />
    </>
  );
}
