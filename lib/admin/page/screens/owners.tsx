import type { Account, Token } from '../../../client/index.ts';
import { Listing } from '../listing.tsx';
import { type Action, Acts, Section } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import { useList } from '../query.ts';
import type { Screen } from '../screen.ts';
import { client } from '../session.ts';
import { Time } from '../time.tsx';
import { State, Who } from './accounts.tsx';
import { TOKENS } from './credentials.tsx';

const ROLE = 'sys_administrator';

const demote = ({ username }: Account): Action => ({
  label: 'Take the role away',
  text: `${username} can no longer administrate. The last administrator keeps the role.`,
  isDangerous: true,
  run: (_, options) => client.account.access({ username, remove: { roles: [ROLE] } }, options),
});

const revoke = ({ username }: Token): Action => ({
  label: 'Revoke all',
  text: `All API tokens of ${username} are deleted. Nobody can restore them.`,
  isDangerous: true,
  run: (_, options) => client.token.revoke({ username }, options),
});

function Owners() {
  const people = useList(
    (page, options) => client.account.browse({ role: ROLE, ...page }, options),
    [],
    'people',
  );
  const tokens = useList(client.token.browse, []);
  return (
    <>
      <Section title="Administrators">
        <Listing
          list={people}
          caption="Administrators"
          keyOf={({ id }) => id}
          empty="Nobody has the role."
          columns={[
            { label: 'Account', isName: true, cell: Who },
            { label: 'State', cell: State },
            { label: 'Last active', cell: ({ lastActivity }) => <Time of={lastActivity} /> },
            { label: 'Actions', cell: (item) => <Acts after={people.reload} of={[demote(item)]} /> },
          ]}
        />
      </Section>
      <Section title="Token owners">
        <Listing
          list={tokens}
          caption="API tokens by owner"
          keyOf={({ username, name }) => `${username} ${name}`}
          empty="No account has an API token. Create one in Account."
          columns={[
            {
              label: 'Owner',
              cell: ({ username }) => (
                <a href={hrefTo('account', { username })}>
                  <bdi>{username}</bdi>
                </a>
              ),
            },
            ...TOKENS,
            { label: 'Actions', cell: (token) => <Acts after={tokens.reload} of={[revoke(token)]} /> },
          ]}
        />
      </Section>
    </>
  );
}

export const owners: Screen = {
  id: 'owners',
  title: 'Administrators and tokens',
  isListed: true,
  View: Owners,
};
