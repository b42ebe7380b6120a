import type { Team } from '../../../client/index.ts';
import { Field } from '../form.tsx';
import { Listing } from '../listing.tsx';
import { Acts, show } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import { useList } from '../query.ts';
import type { Screen } from '../screen.ts';
import { client } from '../session.ts';

const INPUTS = (
  <>
    <Field label="Short name" name="short" required maxLength={32} spellcheck={false} />
    <Field label="Name" name="name" required maxLength={128} />
    <Field label="Type" name="type" required hint="Lower-case letters, such as department" />
  </>
);

function Teams() {
  const list = useList(client.team.browse, []);
  return (
    <>
      <Acts
        after={list.reload}
        of={[
          {
            label: 'Create team',
            text: 'Accounts join it by their access. Its short name is its name in files and commands.',
            children: INPUTS,
            run: ({ short = '', name = '', type = '' }, options) =>
              client.team.create({ short, name, type }, options),
          },
        ]}
      />
      <Listing
        list={list}
        caption="Teams"
        keyOf={({ team_id }) => team_id}
        empty="There are no teams yet. Create the first one."
        columns={[
          ...show<Team>({ Team: 'team_short', Name: 'team_name', Type: 'team_type' }),
          {
            label: 'Accounts',
            cell: ({ team_short: team }) => <a href={hrefTo('accounts', { team })}>Show</a>,
          },
        ]}
      />
    </>
  );
}

export const teams: Screen = { id: 'teams', title: 'Teams', isListed: true, View: Teams };
