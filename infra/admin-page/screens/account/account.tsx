import type { FunctionComponent } from 'preact';
import { CoreAccountError } from '#lib/client/index';
import { account as t } from '#texts/account';
import { AllData } from '../../accounts/data.tsx';
import { isMachine, Owned, Owner } from '../../accounts/machines.tsx';
import { NameOf } from '../../accounts/names.tsx';
import { Chips, nameOf } from '../../accounts/person.tsx';
import { ProfileFacts } from '../../accounts/profile.tsx';
import { type Read, readAccount } from '../../accounts/read.ts';
import { SessionList } from '../../accounts/sessions.tsx';
import { TokenList } from '../../accounts/token-list.tsx';
import { TrustList } from '../../accounts/trusts.tsx';
import { LastActive } from '../../accounts/who.tsx';
import { Acts } from '../../act.tsx';
import { Avatar } from '../../avatar.tsx';
import { Pending } from '../../listing.tsx';
import { roleName } from '../../memberships.tsx';
import { Menu } from '../../menu.tsx';
import { Disclosure, Facts } from '../../parts.tsx';
import { hrefTo, usePlace } from '../../place.ts';
import { useQuery } from '../../query.ts';
import { useOwnName } from '../../session.ts';
import { type Part, Tabs } from '../../tabs.tsx';
import { Time } from '../../time.tsx';
import { PageTitle } from '../../title.tsx';
import { Access } from './access.tsx';
import { actionsOn } from './actions.tsx';
import { History } from './history.tsx';
import { isHelpedByCode, Standing } from './standing.tsx';

/** Since when the account has a one-time code that works, by whom and until when. */
const OpenCode = ({ code_created_at, code_created_by, code_expires_at }: Read['user']) => (
  <>
    {t.codeOf(
      <Time key="created" of={code_created_at} />,
      code_created_by && <NameOf key="by" username={code_created_by} />,
      <Time key="ends" of={code_expires_at} />,
    )}
  </>
);

/** What one wants to know of an account first. */
const Summary = ({ item, user, roles, teams }: Read) => (
  <Facts
    of={{
      ...(isMachine(item) && { [t.kind]: t.machine, [t.owner]: <Owner {...item} /> }),
      [t.lastActive]: <LastActive {...item} />,
      [t.created]: <Time of={item.created_at} />,
      [t.roles]: <Chips of={roles.map(roleName)} />,
      [t.teams]: <Chips of={teams.map(({ team_short }) => team_short)} />,
      ...(!isMachine(item) && { [t.answersFor]: <Owned {...item} /> }),
      ...(user.code_created_at && { [t.code]: <OpenCode {...user} /> }),
    }}
  />
);

type AccountPart = Part & { readonly View: FunctionComponent<Read> };

const TRUSTS: AccountPart = {
  id: 'trusts',
  title: t.trusts,
  View: ({ item, roles }) => <TrustList username={item.username} roles={roles} inputs={[item]} />,
};

const PARTS: readonly [AccountPart, ...AccountPart[]] = [
  {
    id: 'profile',
    title: t.profile,
    View: (read: Read) => (
      <>
        <ProfileFacts {...read} />
        <AllData username={read.item.username} />
        <Disclosure title={t.details}>
          <Facts of={{ [t.id]: <span class="id">{read.item.id}</span>, [t.username]: read.item.username }} />
        </Disclosure>
      </>
    ),
  },
  { id: 'access', title: t.access, View: Access },
  {
    id: 'tokens',
    title: t.tokens,
    View: ({ item, roles }: Read) => <TokenList username={item.username} roles={roles} inputs={[item]} />,
  },
  {
    id: 'sessions',
    title: t.sessions,
    View: ({ item }: Read) => <SessionList username={item.username} inputs={[item]} />,
  },
  { id: 'history', title: t.history, View: History },
];

const isMissing = (error: unknown) => error instanceof CoreAccountError && error.code === 'account_not_found';

/** An account: who it is, what can be done with it, and its parts. */
export function AccountView() {
  const { username = '' } = usePlace().state;
  const own = useOwnName();
  const account = useQuery((signal) => readAccount(username, signal), []);
  const read = account.data && { ...account.data, after: account.reload };
  const actions = read && actionsOn(read, own);
  const shown =
    read && isHelpedByCode(read) ? actions?.shown.filter((one) => one !== actions.newCode) : actions?.shown;
  return (
    <>
      <PageTitle
        title={(read && nameOf(read.item)) || username}
        before={read && <Avatar of={{ ...read.item, ...read.user }} isLarge />}
        note={read && <bdi>{username}</bdi>}
        section={read && isMachine(read.item) ? 'machines' : undefined}
      >
        {actions && shown && (
          <div class="row">
            <Acts of={shown} on={username} after={account.reload} />
            <Menu label={t.more} of={actions.apart} on={username} after={account.reload} />
          </div>
        )}
      </PageTitle>
      <Pending {...account} of="facts" />
      {isMissing(account.error) && (
        <a class="button" href={hrefTo('accounts', { q: username })}>
          {t.search}
        </a>
      )}
      {read && actions && <Standing {...read} newCode={actions.newCode} />}
      {read && <Summary {...read} />}
      {read && (
        <Tabs label={t.parts} of={isMachine(read.item) ? [TRUSTS, ...PARTS] : PARTS}>
          {({ View }) => <View {...read} />}
        </Tabs>
      )}
    </>
  );
}
