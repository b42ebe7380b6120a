import type { Team } from '../../../client/index.ts';
import type { Action } from '../act.tsx';
import { Field } from '../form.tsx';
import { ListPart, show } from '../listing.tsx';
import { hrefTo } from '../place.ts';
import { client } from '../session.ts';

const create: Action = {
  label: 'Create team',
  text: 'Accounts join it by their access. Its short name is its name in files and commands.',
  children: (
    <>
      <Field label="Short name" name="short" required spellcheck={false} />
      <Field label="Name" name="name" required />
      <Field label="Type" name="type" required hint="Lower-case letters, such as department" />
    </>
  ),
  run: ({ short = '', name = '', type = '' }, options) => client.team.create({ short, name, type }, options),
};

const accounts = ({ team_short: team }: Team) => <a href={hrefTo('accounts', { team })}>Show</a>;

export const Teams = () => (
  <ListPart
    read={client.team.browse}
    caption="Teams"
    title=""
    actions={[create]}
    keyOf={({ team_id }) => team_id}
    empty="There are no teams yet. Create the first one."
    columns={[
      ...show<Team>({ Team: 'team_short', Name: 'team_name', Type: 'team_type' }),
      { label: 'Accounts', cell: accounts },
    ]}
  />
);
