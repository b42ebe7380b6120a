import type { Account, PendingEvent, Team, Token } from '../../../client/index.ts';
import { SET_ASIDE_AFTER_HOURS } from '../../../outbox/set-aside.ts';
import type { Action } from '../act.tsx';
import { Field } from '../form.tsx';
import { ListPart, show } from '../listing.tsx';
import { hrefTo } from '../place.ts';
import { ADMINISTRATOR, client } from '../session.ts';
import { LastActive, State, Username, Who } from './accounts.tsx';
import { deletion, TOKENS } from './credentials.tsx';

const create: Action = {
  label: 'Create team',
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

const demote = ({ username }: Account): Action => ({
  label: 'Remove the role',
  on: username,
  text: 'The account loses the rights of an administrator. The last administrator keeps the role.',
  isDangerous: true,
  run: (_, options) => client.account.access({ username, remove: { roles: [ADMINISTRATOR] } }, options),
});

const revoke = ({ username }: Token): Action => ({
  label: 'Revoke all',
  on: username,
  text: 'All API tokens of the account are deleted. They cannot be restored.',
  isDangerous: true,
  run: (_, options) => client.token.revoke({ username }, options),
});

export const Owners = () => (
  <>
    <ListPart
      read={(page, options) => client.account.browse({ role: ADMINISTRATOR, ...page }, options)}
      at="people"
      caption="Administrators"
      keyOf={({ id }) => id}
      empty="No account has the role."
      columns={[
        { label: 'Account', cell: Who },
        { label: 'State', cell: State },
        { label: 'Last active', cell: LastActive },
      ]}
      actionsOn={(account) => [demote(account)]}
    />
    <ListPart
      read={client.token.browse}
      caption="API tokens by owner"
      keyOf={({ username, name }) => `${username} ${name}`}
      empty="No account has an API token. Create one in Account."
      columns={[{ label: 'Owner', cell: Username }, ...TOKENS]}
      actionsOn={(token) => [deletion(token), revoke(token)]}
    />
  </>
);

export const Events = () => (
  <>
    <p class="faint">
      Every minute, a job publishes the events that wait. After {SET_ASIDE_AFTER_HOURS} hours of failures it
      retries an event no more; then an operator runs the command <code>events publish</code>.
    </p>
    <ListPart
      read={client.event.pending}
      caption="Events waiting"
      title=""
      keyOf={({ id }) => id}
      empty="All events are published."
      columns={show<PendingEvent>({
        Event: 'type',
        Account: 'username',
        Created: 'created_at',
        State: 'state',
        ID: 'id',
      })}
    />
  </>
);
