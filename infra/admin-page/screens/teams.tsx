import type { Team } from '#lib/client/index';
import { foldCase } from '#lib/text/fold-case';
import { teams as t } from '#texts/teams';
import { countMembers, creation, deletion, renaming } from '../accounts/teams.tsx';
import { Acts } from '../act.tsx';
import { Listing, show } from '../listing.tsx';
import { number } from '../locale.ts';
import { hrefTo } from '../place.ts';
import { useList, useQuery } from '../query.ts';
import { client } from '../session.ts';
import { PageTitle } from '../title.tsx';

const { columns } = t;

/** All teams, with the numbers of their members as soon as they are counted. */
export function Teams() {
  const list = useList(client.team.browse);
  const hasTeams = Boolean(list.data?.items.length);
  const { data: counts } = useQuery(
    async (signal) => (hasTeams ? countMembers(signal) : undefined),
    [hasTeams],
  );
  const membersOf = ({ team_short }: Team) => {
    const count = counts?.of.get(foldCase(team_short)) ?? 0;
    return counts && `${number(count)}${counts.isMore ? '+' : ''}`;
  };
  return (
    <>
      <PageTitle title={t.title}>
        <Acts of={[creation]} after={list.reload} />
      </PageTitle>
      <Listing
        list={list}
        caption={t.title}
        keyOf={({ team_id }) => team_id}
        empty={t.none}
        columns={[
          {
            label: columns.team,
            cell: ({ team_short: short, team_name }) => (
              <a href={hrefTo('team', { short })}>
                <bdi>{team_name}</bdi>
              </a>
            ),
          },
          ...show<Team>({ [columns.short]: 'team_short', [columns.type]: 'team_type' }),
          { label: columns.members, cell: membersOf },
        ]}
        actionsOn={(team) => [renaming(team), deletion(team)]}
      />
    </>
  );
}
