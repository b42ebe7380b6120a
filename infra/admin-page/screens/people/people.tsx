import { useLayoutEffect } from 'preact/hooks';
import { rowOf } from '#lib/account/file/row';
import type { Account, RequestOptions } from '#lib/client/index';
import { people as t } from '#texts/people';
import { few } from '../../accounts/person.tsx';
import { LastActive, State, Who } from '../../accounts/who.tsx';
import { Listing } from '../../listing.tsx';
import { noteNames, roleName } from '../../memberships.tsx';
import { hrefTo, usePlace } from '../../place.ts';
import { useList } from '../../query.ts';
import { client } from '../../session.ts';
import { PageTitle } from '../../title.tsx';
import { useChoice } from './choice.tsx';
import { Chosen } from './chosen.tsx';
import { FILTERS, MORE_FILTERS, PICKS, States } from './filters.tsx';

const { browse } = client.account;

/** Lists people with the names of their roles, teams and applications. */
const read = (input: Parameters<typeof browse>[0], options: RequestOptions) =>
  browse({ kind: 'person', names: true, ...input }, options);

const { person, state, lastActive, roles, teams } = t.columns;

const COLUMNS = [
  { label: person, cell: Who },
  { label: state, cell: State },
  { label: lastActive, cell: LastActive },
  { label: roles, cell: ({ role_names }: Account) => few(role_names?.map(roleName)) },
  { label: teams, cell: ({ team_shorts }: Account) => few(team_shorts) },
];

export function People() {
  const { screen, state } = usePlace();
  const list = useList(read, { filters: FILTERS, more: MORE_FILTERS, names: ['state'], Picks: PICKS });
  const { items = [] } = list.data ?? {};
  const { boxes, ...choice } = useChoice(items);
  useLayoutEffect(() => noteNames(items), [list.data]);
  return (
    <>
      <PageTitle title={t.title} note={state['cancelled_since'] ? t.byCancellation : t.byName}>
        <a class="button" href={hrefTo('import')}>
          {t.import}
        </a>
        <a class="button primary" href={hrefTo('invite')}>
          {t.invite}
        </a>
      </PageTitle>
      <Listing
        list={list}
        caption={t.caption}
        class="people"
        file={{ name: 'people', rowOf }}
        keyOf={({ id }) => id}
        lead={<States />}
        empty={t.empty}
        next={
          <>
            <a class="button" href={hrefTo(screen)}>
              {t.removeFilters}
            </a>
            <a class="button" href={hrefTo('invite')}>
              {t.invite}
            </a>
          </>
        }
        columns={[boxes, ...COLUMNS]}
      />
      <Chosen {...choice} list={list} after={list.reload} />
    </>
  );
}
