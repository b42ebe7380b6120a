import type { Account, Token } from '#lib/client/index';
import { tokens } from '#texts/tokens';
import { NameOf } from '../accounts/names.tsx';
import { By, deletion, rotation, TOKENS } from '../accounts/tokens.tsx';
import { LastActive, State, Username, Who } from '../accounts/who.tsx';
import type { Action } from '../act.tsx';
import { ListPart } from '../listing.tsx';
import { ADMINISTRATOR, client } from '../session.ts';
import { PageTitle } from '../title.tsx';

const { screen: t, columns } = tokens;

const demote = (account: Account): Action => {
  const { username } = account;
  const name = <NameOf key="name" username={username} />;
  return {
    label: t.demote,
    title: t.demoteAsk(name),
    text: t.demoteText,
    isDangerous: true,
    run: (_, options) => client.account.access({ username, remove: { roles: [ADMINISTRATOR] } }, options),
    done: () => t.demoted(name),
  };
};

const revoke = ({ username }: Token): Action => {
  const name = <NameOf key="name" username={username} />;
  return {
    label: t.revoke,
    title: t.revokeAsk(name),
    text: t.revokeText,
    isDangerous: true,
    run: (_, options) => client.token.revoke({ username }, options),
    done: () => t.revoked(name),
  };
};

export const Owners = () => (
  <>
    <PageTitle title={t.title} />
    <ListPart
      read={(page, options) => client.account.browse({ role: ADMINISTRATOR, ...page }, options)}
      at="people"
      caption={t.administrators}
      keyOf={({ id }) => id}
      empty={t.noAdministrators}
      columns={[
        { label: t.account, cell: Who },
        { label: t.state, cell: State },
        { label: t.lastActive, cell: LastActive },
      ]}
      actionsOn={(account) => [demote(account)]}
    />
    <ListPart
      read={client.token.browse}
      caption={t.tokens}
      keyOf={({ username, name }) => `${username} ${name}`}
      empty={t.noTokens}
      columns={[
        {
          label: columns.owner,
          cell: ({ username }) => (
            <Username username={username}>
              <NameOf username={username} />
            </Username>
          ),
        },
        ...TOKENS,
        { label: columns.createdBy, cell: ({ token_created_by }) => <By username={token_created_by} /> },
      ]}
      filters={[
        { name: 'created_by', label: columns.createdBy, placeholder: t.anyone, people: [] },
        { name: 'unused_since', label: t.unusedSince, type: 'date', isPast: true },
      ]}
      actionsOn={(token) => [rotation(token), deletion(token), revoke(token)]}
      file={{ name: 'tokens' }}
    />
  </>
);
