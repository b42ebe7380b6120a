import type { Team } from '#lib/client/index';
import type { Action } from '../act.tsx';
import { Field } from '../form.tsx';
import { ListScreen, Pending, show } from '../listing.tsx';
import { readTeams } from '../memberships.tsx';
import { hrefTo } from '../place.ts';
import { useQuery } from '../query.ts';
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

const rename = ({ team_short: short, team_name }: Team): Action => ({
  label: 'Rename',
  on: short,
  text: 'Accounts show the new name after some minutes. The short name stays.',
  children: <Field label="Name" name="name" required defaultValue={team_name} autofocus />,
  run: ({ name = '' }, options) => client.team.rename({ short, name }, options),
  done: (_, result) => `${short} is now “${(result as Team).team_name}”.`,
  undo: () => ({
    label: 'Rename back',
    run: (options) => client.team.rename({ short, name: team_name }, options),
  }),
});

/** The teams that may take the accounts of one that is deleted. */
function SuccessorField({ of }: { readonly of: string }) {
  const query = useQuery(readTeams, []);
  const others = (query.data ?? []).filter(({ value }) => value !== of);
  const options = {
    '': 'None: it has no accounts',
    ...Object.fromEntries(others.map(({ value, note }) => [value, `${value} (${note})`])),
  };
  return (
    <>
      <Field label="Team that takes its accounts" name="to" options={options} />
      <Pending {...query} isLoading={false} />
    </>
  );
}

const remove = ({ team_short: short }: Team): Action => ({
  label: 'Delete',
  on: short,
  isDangerous: true,
  text: 'This cannot be undone. Its accounts, also cancelled ones, move to the other team within some minutes.',
  children: <SuccessorField of={short} />,
  run: ({ to = '' }, options) => client.team.delete({ short, ...(to && { to }) }, options),
  done: ({ to }) => `${short} is deleted.${to ? ` Its accounts move to ${to} within some minutes.` : ''}`,
});

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
    actionsOn={(team) => [rename(team), remove(team)]}
  />
);
