import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Account } from '../../../client/index.ts';
import { Field } from '../form.tsx';
import { Listing } from '../listing.tsx';
import { change, hrefTo, type State as Place, usePlace } from '../place.ts';
import { useList } from '../query.ts';
import type { Screen } from '../screen.ts';
import { client } from '../session.ts';
import { Time } from '../time.tsx';
import { Bulk } from './bulk.tsx';
import { Download } from './download.tsx';

/** Wait after the last keystroke of a search, in milliseconds. */
const TYPING_MS = 250;

/** The most accounts that one action changes. */
const MAX_CHOSEN = 100;

const midnight = (day: string | undefined) => day && new Date(`${day}T00:00`).toISOString();

/** The filters of a listing in its URL, as the service takes them. */
const filterOf = ({ q, state, role, team, app, inactive_since, never_used, cancelled_since }: Place) => ({
  ...{ q, role, team, app },
  state: state as 'active' | undefined,
  never_used: never_used as 'true' | undefined,
  inactive_since: midnight(inactive_since),
  cancelled_since: midnight(cancelled_since),
});

const filterBy = (changes: Place) => change({ ...changes, cursor: undefined }, true);

/** A filter that follows what is typed, and the URL when Back changes it. */
function TextFilter({
  name,
  ...rest
}: {
  name: string;
  label: string;
  type?: 'search';
  placeholder?: string;
}) {
  const value = usePlace().state[name] ?? '';
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (typed.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed.trim();
      filterBy({ [name]: sent.current });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Field {...rest} name={name} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
  );
}

const MORE = ['role', 'team', 'app', 'inactive_since', 'never_used', 'cancelled_since'];

function Filters() {
  const { state } = usePlace();
  const used = MORE.filter((name) => state[name]).length;
  const day = (name: string, label: string) => (
    <Field
      label={label}
      name={name}
      type="date"
      value={state[name]}
      onChange={(event) => filterBy({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <div class="wide">
        <TextFilter label="Search" name="q" type="search" placeholder="Username or name" />
      </div>
      <Field
        label="State"
        name="state"
        as="select"
        value={state['state'] ?? ''}
        onChange={(event) => filterBy({ state: event.currentTarget.value })}
      >
        <option value="">Any</option>
        <option value="active">Active</option>
        <option value="locked">Locked</option>
        <option value="cancelled">Cancelled</option>
      </Field>
      <details open={used > 0}>
        <summary>More filters{used > 0 && ` (${used})`}</summary>
        <div class="filters">
          <TextFilter label="Role" name="role" />
          <TextFilter label="Team" name="team" placeholder="Short name" />
          <TextFilter label="App" name="app" />
          {day('inactive_since', 'Inactive since')}
          {day('cancelled_since', 'Cancelled since')}
          <label class="row">
            <input
              type="checkbox"
              checked={state['never_used'] === 'true'}
              onChange={(event) => filterBy({ never_used: event.currentTarget.checked ? 'true' : undefined })}
            />
            Never used
          </label>
        </div>
      </details>
    </form>
  );
}

const Statistic = ({ name, value }: { name: string; value: number | undefined }) => (
  <div class="card">
    <dt>{name}</dt>
    <dd>{value?.toLocaleString('en') ?? '–'}</dd>
  </div>
);

/** Username and name, with the initials and the colour of the account. */
export const Who = ({ username, user_first_name, user_last_name, user_short, user_color }: Account) => (
  <span class="who row">
    <bdi class="initials" aria-hidden="true" style={{ borderColor: user_color }}>
      {user_short}
    </bdi>
    <span>
      <a href={hrefTo('account', { username })}>
        <bdi>{username}</bdi>
      </a>
      <br />
      <bdi class="faint">{`${user_first_name} ${user_last_name}`.trim()}</bdi>
    </span>
  </span>
);

const Badge = ({ kind, children }: { kind: string; children: ComponentChildren }) => (
  <span class={`badge ${kind}`}>{children}</span>
);

/** The states of an account; it can be locked and cancelled. */
export const State = ({ isactive, islocked, lockoutending, lock_reason, cancelled_at }: Account) => (
  <span class="row">
    {isactive && !islocked && <Badge kind="good">Active</Badge>}
    {islocked && <Badge kind="bad">Locked</Badge>}
    {islocked && !lockoutending?.startsWith('9999') && <Time of={lockoutending} />}
    {lock_reason && <bdi class="faint">{lock_reason}</bdi>}
    {!isactive && <Badge kind="off">Cancelled</Badge>}
    {!isactive && <Time of={cancelled_at} />}
  </span>
);

export const isUnused = ({ lastActivity, created_at }: Account) => `${lastActivity}Z` === created_at;

function Accounts() {
  const filter = filterOf(usePlace().state);
  const isFiltered = Object.values(filter).some(Boolean);
  const list = useList(
    (page, options) => client.account.browse({ ...filter, ...page }, options),
    [JSON.stringify(filter)],
  );
  const [chosen, setChosen] = useState<readonly Account[]>([]);
  const { items = [], stats } = list.data ?? {};
  const isChosen = ({ id }: Account) => chosen.some((each) => each.id === id);
  const free = items.filter((item) => !isChosen(item));
  const choose = (some: readonly Account[], isOn: boolean) =>
    setChosen(
      isOn
        ? [...chosen, ...some.filter((item) => !isChosen(item))].slice(0, MAX_CHOSEN)
        : chosen.filter(({ id }) => !some.some((each) => each.id === id)),
    );
  const all = (
    <input
      type="checkbox"
      aria-label="Select all on this page"
      checked={free.length === 0}
      indeterminate={free.length > 0 && free.length < items.length}
      onChange={(event) => choose(items, event.currentTarget.checked)}
    />
  );
  const box = (item: Account) => (
    <input
      type="checkbox"
      aria-label={`Select ${item.username}`}
      checked={isChosen(item)}
      disabled={chosen.length >= MAX_CHOSEN && !isChosen(item)}
      onChange={(event) => choose([item], event.currentTarget.checked)}
    />
  );
  return (
    <>
      <dl class="statistics">
        <Statistic name="Accounts" value={stats?.count} />
        <Statistic name="Locked" value={stats?.locked} />
        <Statistic name="Active today" value={stats?.today} />
        <Statistic name="Active in 7 days" value={stats?.last_week} />
      </dl>
      <Filters />
      <Download filter={filter} total={isFiltered ? undefined : stats?.count} />
      <Listing
        list={list}
        caption="Accounts"
        keyOf={({ id }) => id}
        empty={
          isFiltered
            ? 'No account matches. Remove a filter, or search for less.'
            : 'There are no accounts yet.'
        }
        columns={[
          { label: 'Select', head: all, cell: box },
          { label: 'Account', isName: true, cell: Who },
          { label: 'State', cell: State },
          { label: 'Last active', cell: (item) => <Time of={isUnused(item) ? null : item.lastActivity} /> },
          { label: 'Created', cell: ({ created_at }) => <Time of={created_at} /> },
          { label: 'Teams', isNumber: true, cell: ({ teams }) => teams },
          { label: 'Roles', isNumber: true, cell: ({ roles }) => roles },
        ]}
      />
      {chosen.length > 0 && (
        <Bulk chosen={chosen} most={MAX_CHOSEN} setChosen={setChosen} after={list.reload} />
      )}
    </>
  );
}

export const accounts: Screen = { id: 'accounts', title: 'Accounts', isListed: true, View: Accounts };
