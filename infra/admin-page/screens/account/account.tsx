import type { FunctionComponent } from 'preact';
import { CoreAccountError } from '#lib/client/index';
import { AllData } from '../../accounts/data.tsx';
import { isMachine, Owned, Owner } from '../../accounts/machines.tsx';
import { Chips, nameOf, Standing } from '../../accounts/person.tsx';
import { ProfileFacts } from '../../accounts/profile.tsx';
import { type Read, readAccount } from '../../accounts/read.ts';
import { SessionList } from '../../accounts/sessions.tsx';
import { TokenList } from '../../accounts/token-list.tsx';
import { TrustList } from '../../accounts/trusts.tsx';
import { LastActive } from '../../accounts/who.tsx';
import { Acts } from '../../act.tsx';
import { Avatar } from '../../avatar.tsx';
import { Pending } from '../../listing.tsx';
import { Menu } from '../../menu.tsx';
import { Facts } from '../../parts.tsx';
import { hrefTo, usePlace } from '../../place.ts';
import { useQuery } from '../../query.ts';
import { useOwnName } from '../../session.ts';
import { type Part, Tabs } from '../../tabs.tsx';
import { Time } from '../../time.tsx';
import { PageTitle } from '../../title.tsx';
import { Access } from './access.tsx';
import { actionsOn } from './actions.tsx';
import { History } from './history.tsx';

/** Since when the account has a one-time code that works, by whom and until when. */
const OpenCode = ({ code_created_at, code_created_by, code_expires_at }: Read['user']) => (
  <>
    created <Time of={code_created_at} /> by <bdi>{code_created_by}</bdi>, ends <Time of={code_expires_at} />
  </>
);

/** What one wants to know of an account first. */
const Summary = ({ item, user, roles, teams }: Read) => (
  <Facts
    of={{
      ...(isMachine(item) && { Kind: 'Machine', Owner: <Owner {...item} /> }),
      State: <Standing {...item} />,
      'Last active': <LastActive {...item} />,
      Created: <Time of={item.created_at} />,
      Roles: <Chips of={roles} />,
      Teams: <Chips of={teams.map(({ team_short }) => team_short)} />,
      ...(!isMachine(item) && { 'Answers for': <Owned {...item} /> }),
      ...(user.code_created_at && { 'One-time code': <OpenCode {...user} /> }),
    }}
  />
);

type AccountPart = Part & { readonly View: FunctionComponent<Read> };

const TRUSTS: AccountPart = {
  id: 'trusts',
  title: 'Trusts',
  View: ({ item, roles }) => <TrustList username={item.username} roles={roles} inputs={[item]} />,
};

const PARTS: readonly [AccountPart, ...AccountPart[]] = [
  {
    id: 'profile',
    title: 'Profile',
    View: (read: Read) => (
      <>
        <ProfileFacts {...read} />
        <AllData username={read.item.username} />
      </>
    ),
  },
  { id: 'access', title: 'Access', View: Access },
  {
    id: 'tokens',
    title: 'Tokens',
    View: ({ item, roles }: Read) => <TokenList username={item.username} roles={roles} inputs={[item]} />,
  },
  {
    id: 'sessions',
    title: 'Sessions',
    View: ({ item }: Read) => <SessionList username={item.username} inputs={[item]} />,
  },
  { id: 'history', title: 'History', View: History },
];

const isMissing = (error: unknown) => error instanceof CoreAccountError && error.code === 'account_not_found';

/** An account: who it is, what can be done with it, and its parts. */
export function AccountView() {
  const { username = '' } = usePlace().state;
  const own = useOwnName();
  const account = useQuery((signal) => readAccount(username, signal), []);
  const read = account.data && { ...account.data, after: account.reload };
  const actions = read && actionsOn(read, own);
  return (
    <>
      <PageTitle
        title={(read && nameOf(read.item)) || username}
        before={read && <Avatar of={{ ...read.item, ...read.user }} isLarge />}
        note={read && <bdi>{username}</bdi>}
        section={read && isMachine(read.item) ? 'machines' : undefined}
      >
        {actions && (
          <div class="row">
            <Acts of={actions.shown} on={username} after={account.reload} />
            <Menu label="More actions" of={actions.apart} on={username} after={account.reload} />
          </div>
        )}
      </PageTitle>
      <Pending {...account} />
      {isMissing(account.error) && (
        <a class="button" href={hrefTo('accounts', { q: username })}>
          Search people
        </a>
      )}
      {read && <Summary {...read} />}
      {read && (
        <Tabs label="Parts of the account" of={isMachine(read.item) ? [TRUSTS, ...PARTS] : PARTS}>
          {({ View }) => <View {...read} />}
        </Tabs>
      )}
    </>
  );
}
