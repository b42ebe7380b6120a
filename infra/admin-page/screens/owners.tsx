import type { Account, Token } from '#lib/client/index';
import { deletion, rotation, TOKENS } from '../accounts/tokens.tsx';
import { LastActive, nameFor, State, Username, Who } from '../accounts/who.tsx';
import type { Action } from '../act.tsx';
import { ListPart } from '../listing.tsx';
import { ADMINISTRATOR, client } from '../session.ts';
import { PageTitle } from '../title.tsx';

const demote = ({ username }: Account): Action => ({
  label: 'Remove the role',
  on: username,
  text: 'The account loses the rights of an administrator. The last administrator keeps the role.',
  isDangerous: true,
  run: (_, options) => client.account.access({ username, remove: { roles: [ADMINISTRATOR] } }, options),
  done: () => (
    <>
      <bdi>{username}</bdi> is no administrator any more.
    </>
  ),
});

const revoke = ({ username }: Token): Action => ({
  label: 'Revoke all',
  on: username,
  text: 'All API tokens of the account are deleted. They cannot be restored.',
  isDangerous: true,
  run: (_, options) => client.token.revoke({ username }, options),
  done: () => (
    <>
      All API tokens of <bdi>{username}</bdi> are deleted.
    </>
  ),
});

export const Owners = () => (
  <>
    <PageTitle title="Tokens and administrators" />
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
      columns={[
        { label: 'Owner', cell: Username },
        ...TOKENS,
        { label: 'Created by', cell: ({ token_created_by }) => <bdi>{nameFor(token_created_by)}</bdi> },
      ]}
      filters={[
        { name: 'created_by', label: 'Created by', placeholder: 'Anyone', people: [] },
        { name: 'unused_since', label: 'Unused since', type: 'date', isPast: true },
      ]}
      actionsOn={(token) => [rotation(token), deletion(token), revoke(token)]}
    />
  </>
);
