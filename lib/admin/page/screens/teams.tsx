import type { Team } from '../../../client/index.ts';
import { type Action, Acts } from '../act.tsx';
import { Field } from '../form.tsx';
import { Listing, show } from '../listing.tsx';
import { hrefTo } from '../place.ts';
import { useList } from '../query.ts';
import { client } from '../session.ts';

const create: Action = {
  label: 'Create team',
  text: 'Accounts join it by their access. Its short name is its name in files and commands.',
  children: (
    <>
      <Field label="Short name" name="short" required maxLength={32} spellcheck={false} />
      <Field label="Name" name="name" required maxLength={128} />
      <Field label="Type" name="type" required hint="Lower-case letters, such as department" />
    </>
  ),
  run: ({ short = '', name = '', type = '' }, options) => client.team.create({ short, name, type }, options),
};

export function Teams() {
  const list = useList(client.team.browse, []);
  return (
    <>
      <Acts after={list.reload} of={[create]} />
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
