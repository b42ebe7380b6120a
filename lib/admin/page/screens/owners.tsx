import type { Account, Token } from '../../../client/index.ts';
import type { Action } from '../act.tsx';
import { ListPart } from '../listing.tsx';
import { ADMINISTRATOR } from '../me.ts';
import { client } from '../session.ts';
import { LastActive, State, Username, Who } from './accounts.tsx';
import { deletion, TOKENS } from './credentials.tsx';

const demote = ({ username }: Account): Action => ({
  label: 'Take the role away',
  on: username,
  text: 'The account can no longer administrate. The last administrator keeps the role.',
  isDangerous: true,
  run: (_, options) => client.account.access({ username, remove: { roles: [ADMINISTRATOR] } }, options),
});

const revoke = ({ username }: Token): Action => ({
  label: 'Revoke all',
  on: username,
  text: 'All API tokens of the account are deleted. Nobody can restore them.',
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
      empty="Nobody has the role."
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
