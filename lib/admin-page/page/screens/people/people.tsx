import { rowOf } from '../../../../account/file/row.ts';
import type { Account } from '../../../../client/index.ts';
import { LastActive, State, Who } from '../../accounts/who.tsx';
import type { FieldProps } from '../../form.tsx';
import { Listing, show } from '../../listing.tsx';
import { Facts } from '../../parts.tsx';
import { hrefTo } from '../../place.ts';
import { useList } from '../../query.ts';
import { client } from '../../session.ts';
import { PageTitle } from '../../title.tsx';
import { Bulk, useChoice } from './bulk.tsx';

const STATES = { '': 'Any', active: 'Active', locked: 'Locked', cancelled: 'Cancelled' };

const FILTERS: readonly FieldProps[] = [
  { name: 'q', label: 'Search', type: 'search', placeholder: 'Username or name' },
  { name: 'state', label: 'State', options: STATES },
];

const MORE_FILTERS: readonly FieldProps[] = [
  { name: 'role', label: 'Role' },
  { name: 'team', label: 'Team', placeholder: 'Short name' },
  { name: 'app', label: 'Application' },
  { name: 'inactive_since', label: 'Inactive since', type: 'date' },
  { name: 'cancelled_since', label: 'Cancelled since', type: 'date' },
  { name: 'never_used', label: 'Use', options: { '': 'Any', true: 'Never used', false: 'Used' } },
];

export function People() {
  const list = useList(client.account.browse, { filters: FILTERS, more: MORE_FILTERS });
  const { items = [], stats } = list.data ?? {};
  const { boxes, ...choice } = useChoice(items);
  const number = (value?: number) => value?.toLocaleString('en') ?? '–';
  return (
    <>
      <PageTitle title="People">
        <a class="button" href={hrefTo('import')}>
          Import
        </a>
        <a class="button primary" href={hrefTo('invite')}>
          Invite
        </a>
      </PageTitle>
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
        file={{ name: 'accounts.csv', query: { names: true }, rowOf }}
        keyOf={({ id }) => id}
        empty="No account matches. Remove a filter or a word."
        columns={[
          boxes,
          { label: 'Account', cell: Who },
          { label: 'State', cell: State },
          { label: 'Last active', cell: LastActive },
          ...show<Account>({ Created: 'created_at', Teams: 'teams', Roles: 'roles' }),
        ]}
      />
      <Bulk {...choice} after={list.reload} />
    </>
  );
}
