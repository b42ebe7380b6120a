import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Account } from '../../../client/index.ts';
import type { FieldProps } from '../form.tsx';
import { Listing, show } from '../listing.tsx';
import { Facts } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import { useList } from '../query.ts';
import { client } from '../session.ts';
import { Time } from '../time.tsx';
import { Bulk, MAX_CHOSEN } from './bulk.tsx';

const STATES = { '': 'Any', active: 'Active', locked: 'Locked', cancelled: 'Cancelled' };

const FILTERS: readonly FieldProps[] = [
  { name: 'q', label: 'Search', type: 'search', placeholder: 'Username or name' },
  { name: 'state', label: 'State', options: STATES },
];

const MORE_FILTERS: readonly FieldProps[] = [
  { name: 'role', label: 'Role' },
  { name: 'team', label: 'Team', placeholder: 'Short name' },
  { name: 'app', label: 'App' },
  { name: 'inactive_since', label: 'Inactive since', type: 'date' },
  { name: 'cancelled_since', label: 'Cancelled since', type: 'date' },
  { name: 'never_used', label: 'Use', options: { '': 'Any', true: 'Never used', false: 'Used' } },
];

/** A link to an account. */
export const Username = ({ username }: Pick<Account, 'username'>) => (
  <a href={hrefTo('account', { username })}>
    <bdi>{username}</bdi>
  </a>
);

/** Username and name. */
export const Who = ({ username, user_first_name, user_last_name }: Account) => (
  <>
    <Username username={username} />
    <br />
    <bdi class="faint">{`${user_first_name} ${user_last_name}`.trim()}</bdi>
  </>
);

export const Badge = ({ kind, children }: { kind: string; children: ComponentChildren }) => (
  <span class={`badge ${kind}`}>{children}</span>
);

/** The states of an account; it can be locked and cancelled. */
export const State = ({ isactive, islocked, lockoutending, lock_reason, cancelled_at }: Account) => (
  <span class="row">
    {isactive && !islocked && <Badge kind="good">Active</Badge>}
    {islocked && <Badge kind="bad">Locked</Badge>}
    {islocked && !lockoutending?.startsWith('9999') && (
      <span>
        ends <Time of={lockoutending} />
      </span>
    )}
    {lock_reason && <bdi class="faint">{lock_reason}</bdi>}
    {!isactive && <Badge kind="faint">Cancelled</Badge>}
    {!isactive && <Time of={cancelled_at} />}
  </span>
);

/** When an account was last used. */
export const LastActive = ({ lastActivity, created_at }: Account) => (
  <Time of={`${lastActivity}Z` === created_at ? null : lastActivity} />
);

const minus = (some: readonly Account[], others: readonly Account[]) =>
  some.filter(({ id }) => !others.some((each) => each.id === id));

/** A column of boxes that choose accounts, with one for all of a page. */
function useChoice(items: readonly Account[]) {
  const [chosen, setChosen] = useState<readonly Account[]>([]);
  const box = (label: string, some: readonly Account[]) => {
    const free = minus(some, chosen);
    const choose = (isChosen: boolean) =>
      setChosen(isChosen ? [...chosen, ...free].slice(0, MAX_CHOSEN) : minus(chosen, some));
    return (
      <input
        type="checkbox"
        aria-label={label}
        checked={free.length === 0}
        indeterminate={free.length > 0 && free.length < some.length}
        disabled={chosen.length >= MAX_CHOSEN && free.length === some.length}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
    );
  };
  const head = box('Select all on this page', items);
  const cell = (item: Account) => box(`Select ${item.username}`, [item]);
  return { chosen, setChosen, boxes: { label: 'Select', head, cell } };
}

export function Accounts() {
  const list = useList(client.account.browse, { filters: FILTERS, more: MORE_FILTERS });
  const { items = [], stats } = list.data ?? {};
  const { chosen, setChosen, boxes } = useChoice(items);
  const number = (value?: number) => value?.toLocaleString('en') ?? '–';
  return (
    <>
      <Facts
        of={{
          Accounts: number(stats?.count),
          Locked: number(stats?.locked),
          'Active today': number(stats?.today),
          'Active in 7 days': number(stats?.last_week),
        }}
      />
      <Listing
        list={list}
        caption="Accounts"
        file="accounts.csv"
        keyOf={({ id }) => id}
        empty="No account matches. Remove a filter, or search for less."
        columns={[
          boxes,
          { label: 'Account', cell: Who },
          { label: 'State', cell: State },
          { label: 'Last active', cell: LastActive },
          ...show<Account>({ Created: 'created_at', Teams: 'teams', Roles: 'roles' }),
        ]}
      />
      {chosen.length > 0 && <Bulk chosen={chosen} setChosen={setChosen} after={list.reload} />}
    </>
  );
}
