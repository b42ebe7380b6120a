import type { FunctionComponent } from 'preact';
import { useContext } from 'preact/hooks';
import { own as t } from '#texts/own';
import { AllData } from '../accounts/data.tsx';
import { PasskeyList } from '../accounts/passkeys.tsx';
import { Chips, nameOf } from '../accounts/person.tsx';
import { ProfileFacts } from '../accounts/profile.tsx';
import { readProfile } from '../accounts/read.ts';
import { SessionList } from '../accounts/sessions.tsx';
import { TokenList } from '../accounts/token-list.tsx';
import type { Action } from '../act.tsx';
import { Avatar } from '../avatar.tsx';
import { Pending } from '../listing.tsx';
import { roleName } from '../memberships.tsx';
import { OWN_PARTS, type OwnPart } from '../own-parts.ts';
import { Section } from '../parts.tsx';
import { Password } from '../passwords.tsx';
import { usePlace } from '../place.ts';
import { useQuery } from '../query.ts';
import { ADMINISTRATOR, logOutEverywhere, Me, ownChanges, useOwnName } from '../session.ts';
import { Tabs } from '../tabs.tsx';
import { PageTitle } from '../title.tsx';

/** The role whose holders create API tokens of their own. */
const TOKENS = 'sys_tokens';

function MyProfile() {
  const profile = useQuery((signal) => readProfile(undefined, signal), [ownChanges.value]);
  const { data } = profile;
  return (
    <>
      <Pending {...profile} of="facts" />
      {data && (
        <>
          {/* The header shows the name, too. */}
          <ProfileFacts {...data} after={() => ownChanges.value++} />
          <Section
            title={t.access}
            facts={{
              [t.roles]: <Chips of={data.roles.map(roleName)} />,
              [t.teams]: <Chips of={data.teams.map(({ team_short }) => team_short)} />,
              [t.applications]: <Chips of={data.apps} />,
            }}
          >
            {!data.roles.includes(ADMINISTRATOR) && <p class="faint">{t.changedByAdministrators}</p>}
          </Section>
          <AllData username={data.user.username} />
        </>
      )}
    </>
  );
}

const MyPasskeys = () => (
  <PasskeyList username={useOwnName()} isOwn>
    <p class="faint">{t.passkeyText}</p>
  </PasskeyList>
);

const everywhere: Action = {
  label: t.logOutEverywhere,
  title: t.logOutEverywhereAsk,
  text: t.logOutEverywhereText,
  isDangerous: true,
  // Nothing is left to load.
  after: undefined,
  run: (_, options) => logOutEverywhere(options),
};

const MySessions = () => (
  <>
    <SessionList username={useOwnName()} actions={[everywhere]} />
    <p class="faint">{t.unknownSession}</p>
  </>
);

function MyTokens() {
  const username = useOwnName();
  const roles = useContext(Me)?.roles ?? [];
  const hasRole = roles.includes(TOKENS);
  const canCreate = hasRole || roles.includes(ADMINISTRATOR);
  return (
    <>
      {!canCreate && <p class="card">{t.tokensRole(roleName(TOKENS))}</p>}
      <TokenList
        username={username}
        roles={roles}
        isOwn={!roles.includes(ADMINISTRATOR)}
        canCreate={canCreate}
      />
    </>
  );
}

const VIEWS: Readonly<Record<OwnPart['id'], FunctionComponent>> = {
  profile: MyProfile,
  password: Password,
  passkeys: MyPasskeys,
  sessions: MySessions,
  tokens: MyTokens,
};

/** The first screen of people without the role of an administrator, who are at its address by default. */
const FIRST = 'accounts';

/** One's own account. */
export function MyAccount() {
  const { user } = useContext(Me) ?? {};
  const { screen } = usePlace();
  if (!user) return null;
  const name = nameOf(user);
  return (
    <>
      <PageTitle
        title={t.title}
        before={<Avatar of={user} isLarge />}
        note={
          <>
            {name && (
              <>
                <bdi>{name}</bdi>
                <span class="hidden"> · </span>
              </>
            )}
            <bdi>{user.username}</bdi>
          </>
        }
      />
      {screen !== 'me' && screen !== FIRST && <p class="card">{t.forAdministrators}</p>}
      <Tabs label={t.title} of={OWN_PARTS} screen="me">
        {({ id }) => {
          const View = VIEWS[id];
          return <View />;
        }}
      </Tabs>
    </>
  );
}
