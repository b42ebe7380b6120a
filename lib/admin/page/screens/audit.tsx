import type { AuditEntry } from '../../../client/index.ts';
import { Field } from '../form.tsx';
import { type Column, Listing } from '../listing.tsx';
import { Section, show } from '../parts.tsx';
import { change, usePlace } from '../place.ts';
import { useList } from '../query.ts';
import type { Screen } from '../screen.ts';
import { client } from '../session.ts';
import type { Read } from './account.tsx';
import { line as csv, save } from './download.tsx';

const COLUMNS: Column<AuditEntry>[] = [
  ...show<AuditEntry>({
    Time: 'time',
    Actor: 'actor',
    Action: 'action',
    Target: 'target',
    Outcome: 'outcome',
  }),
  {
    label: 'Details',
    cell: ({ details }) => <small>{details && <bdi>{JSON.stringify(details)}</bdi>}</small>,
  },
  { label: 'Request', cell: ({ requestId }) => <small>{requestId}</small> },
];

const keyOf = ({ time, requestId, action }: AuditEntry) => `${time} ${requestId} ${action}`;

/** The history of an account. */
export function History({ item }: Read) {
  const target = item.username;
  const list = useList(
    (page, options) => client.audit.browse({ target, ...page }, options),
    [item],
    'history',
  );
  return (
    <Section title="History">
      <Listing
        list={list}
        caption="History"
        keyOf={keyOf}
        empty="Nothing has happened to the account."
        columns={COLUMNS}
      />
    </Section>
  );
}

const FILTERS = {
  actor: 'Actor',
  target: 'Target',
  action: 'Action',
  outcome: 'Outcome',
  since: 'Since',
  until: 'Until',
} as const;
const NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

const isTime = (name: string) => name === 'since' || name === 'until';

function Audit() {
  const { state } = usePlace();
  const filter = Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = state[name];
      return value ? [[name, isTime(name) ? new Date(value).toISOString() : value]] : [];
    }),
  );
  const list = useList(
    (page, options) => client.audit.browse({ ...filter, ...page }, options),
    [JSON.stringify(filter)],
  );
  const download = () => {
    const rows = (list.data?.items ?? []).map((entry) =>
      csv(
        Object.values(entry).map((value) =>
          typeof value === 'object' && value ? JSON.stringify(value) : value,
        ),
      ),
    );
    save(new Blob(['\uFEFF', csv(Object.keys(list.data?.items[0] ?? {})), ...rows]), 'audit.csv');
  };
  return (
    <>
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        {NAMES.map((name) => (
          <Field
            key={name}
            label={FILTERS[name]}
            name={name}
            type={isTime(name) ? 'datetime-local' : 'text'}
            value={state[name] ?? ''}
            onChange={({ currentTarget }) =>
              change({ [name]: currentTarget.value.trim(), cursor: undefined }, true)
            }
          />
        ))}
      </form>
      <div class="row">
        <button type="button" onClick={download}>
          Download this page as CSV
        </button>
      </div>
      <Listing
        list={list}
        caption="Audit"
        keyOf={keyOf}
        empty="No entry on this page matches. Go to the next page, or remove a filter."
        columns={COLUMNS}
      />
    </>
  );
}

export const audit: Screen = { id: 'audit', title: 'Audit', isListed: true, View: Audit };
