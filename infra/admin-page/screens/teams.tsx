import type { Team } from '#lib/client/index';
import type { Action } from '../act.tsx';
import { Field } from '../form.tsx';
import { ListScreen, show } from '../listing.tsx';
import { hrefTo } from '../place.ts';
import { client } from '../session.ts';

const create: Action = {
  label: 'Create team',
  isMain: true,
  text: 'Add accounts with “Change access”. Files and commands use the short name.',
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
  <ListScreen
    read={client.team.browse}
    caption="Teams"
    title="Teams"
    actions={[create]}
    keyOf={({ team_id }) => team_id}
    empty="There are no teams yet. Create the first one."
    columns={[
      ...show<Team>({ Team: 'team_short', Name: 'team_name', Type: 'team_type' }),
      { label: 'Accounts', cell: accounts },
    ]}
  />
);
