import { useLayoutEffect } from 'preact/hooks';
import { Documents } from './document.tsx';
import { noteAuthor } from './drafts.ts';
import { Header } from './header.tsx';
import { Ongoing } from './import/ongoing.tsx';
import { Pending } from './listing.tsx';
import { NewestPasskey } from './newest-passkey.tsx';
import { Notices } from './notice.tsx';
import { Entrance, LogInAgain, Proof } from './passwords.tsx';
import { usePlace } from './place.ts';
import { useQuery } from './query.ts';
import { me, SCREENS, screenAt } from './screens/index.ts';
import { useScroll } from './scroll.ts';
import { ADMINISTRATOR, client, hasSession, isReload, Me, ownChanges } from './session.ts';

/** The page: the entrance, or the header and the screen that the URL names, once the roles of the person are known. */
export function App() {
  const profile = useQuery(
    async (signal) => {
      const profile = await client.account.profile({ pscope: ['user', 'roles'] }, { signal });
      noteAuthor(profile.user?.username ?? '');
      return profile;
    },
    [ownChanges.value],
  );
  const { screen: wanted, state } = usePlace();
  const { user, roles } = profile.data ?? {};
  // A reload requests the screen beside the profile, but a first load may not know that it is refused.
  const isAdministrator = roles ? roles.includes(ADMINISTRATOR) : isReload;
  useLayoutEffect(() => {
    if (roles) history.replaceState({ ...history.state, isAdministrator }, '');
  }, [isAdministrator, roles, location.hash]);
  const screen = isAdministrator ? screenAt(wanted) : me;
  const key = `${screen.id} ${state['username']}`;
  useScroll(key);
  if (!hasSession.value && !user) return <Entrance />;
  return (
    <Me.Provider value={profile.data}>
      <Header screens={isAdministrator ? SCREENS.filter(({ link }) => link) : []} shown={screen} />
      <main>
        <Notices />
        <Documents />
        <NewestPasskey />
        <Pending {...profile} of="lines" />
        {isAdministrator && <Ongoing screen={screen.id} />}
        {(profile.data || isAdministrator) && <screen.View key={key} />}
      </main>
      <Proof />
      {!hasSession.value && user && <LogInAgain username={user.username} />}
    </Me.Provider>
  );
}
