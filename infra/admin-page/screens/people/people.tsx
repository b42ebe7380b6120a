import { useLayoutEffect } from 'preact/hooks';
import { rowOf } from '#lib/account/file/row';
import type { Account, RequestOptions } from '#lib/client/index';
import { few } from '../../accounts/person.tsx';
import { LastActive, State, Who } from '../../accounts/who.tsx';
import { Listing } from '../../listing.tsx';
import { noteNames } from '../../memberships.tsx';
import { hrefTo, usePlace } from '../../place.ts';
import { useList } from '../../query.ts';
import { client } from '../../session.ts';
import { PageTitle } from '../../title.tsx';
import { Bulk, useChoice } from './bulk.tsx';
import { FILTERS, MORE_FILTERS, PICKS, States } from './filters.tsx';

const { browse } = client.account;

/** Lists people with the names of their roles, teams and applications. */
const read = (input: Parameters<typeof browse>[0], options: RequestOptions) =>
  browse({ kind: 'person', names: true, ...input }, options);

const number = (value: number) => value.toLocaleString('en');

const COLUMNS = [
  { label: 'Person', cell: Who },
  { label: 'State', cell: State },
  { label: 'Last active', cell: LastActive },
  { label: 'Roles', cell: ({ role_names }: Account) => few(role_names) },
  { label: 'Teams', cell: ({ team_shorts }: Account) => few(team_shorts) },
];

export function People() {
  const { screen, state } = usePlace();
  const list = useList(read, { filters: FILTERS, more: MORE_FILTERS, names: ['state'], Picks: PICKS });
  const { items = [], stats } = list.data ?? {};
  const { boxes, ...choice } = useChoice(items);
  useLayoutEffect(() => noteNames(items), [list.data]);
  return (
    <>
      <PageTitle
        title="People"
        note={[
          stats &&
            `${number(stats.count)} accounts with those of machines, ${number(stats.today)} active today, ${number(stats.last_week)} in 7 days. `,
          `Sorted by ${state['cancelled_since'] ? 'the time of cancellation' : 'username'}.`,
        ]}
      >
        <a class="button" href={hrefTo('import')}>
          Import
        </a>
        <a class="button primary" href={hrefTo('invite')}>
          Invite
        </a>
      </PageTitle>
      <Listing
        list={list}
        caption="Accounts"
        class="people"
        file={{ name: 'people', rowOf }}
        keyOf={({ id }) => id}
        lead={<States />}
        empty="No one matches. Remove a filter or a word, or invite the person."
        next={
          <>
            <a class="button" href={hrefTo(screen)}>
              Remove all filters
            </a>
            <a class="button" href={hrefTo('invite')}>
              Invite
            </a>
          </>
        }
        columns={[boxes, ...COLUMNS]}
      />
      <Bulk {...choice} after={list.reload} />
    </>
  );
}
