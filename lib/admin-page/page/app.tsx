import { Header } from './header.tsx';
import { Ongoing } from './import/ongoing.tsx';
import { Pending } from './listing.tsx';
import { Notices } from './notice.tsx';
import { Entrance, LogInAgain } from './passwords.tsx';
import { usePlace } from './place.ts';
import { useQuery } from './query.ts';
import { ME_PARTS, me, SCREENS } from './screens/index.ts';
import { ADMINISTRATOR, client, hasSession, Me, ownChanges } from './session.ts';

/** The page: the entrance, or the header and the screen that the URL names. */
export function App() {
  const profile = useQuery(
    (signal) => client.account.profile({ pscope: ['user', 'roles'] }, { signal }),
    [ownChanges.value],
  );
  const { screen: wanted, state } = usePlace();
  const { user, roles } = profile.data ?? {};
  const isOutsider = roles !== undefined && !roles.includes(ADMINISTRATOR);
  const screen = isOutsider ? me : (SCREENS.find(({ id }) => id === wanted) ?? SCREENS[0]);
  if (!hasSession.value && !user) return <Entrance />;
  const links = SCREENS.flatMap(({ id, link }) => (link && !isOutsider ? [[id, link]] : []));
  return (
    <Me.Provider value={profile.data}>
      <Header links={Object.fromEntries(links)} screen={screen.id} own={ME_PARTS} />
      <main>
        <Notices />
        <Pending {...profile} isLoading={false} />
        {!isOutsider && <Ongoing screen={screen.id} />}
        <screen.View key={`${screen.id} ${state['username']}`} />
      </main>
      {!hasSession.value && user && <LogInAgain username={user.username} />}
    </Me.Provider>
  );
}
