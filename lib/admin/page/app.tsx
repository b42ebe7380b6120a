import { useEffect, useRef } from 'preact/hooks';
import { Act } from './act.tsx';
import { Entrance, SignInAgain } from './entrance.tsx';
import { Failed, Notices } from './notice.tsx';
import { hrefTo, usePlace } from './place.ts';
import { useQuery } from './query.ts';
import { Me, type Screen } from './screen.ts';
import { SCREENS } from './screens/index.ts';
import { password } from './screens/password.tsx';
import { client, leave, useSession } from './session.ts';

const ROLE = 'sys_administrator';

const signOut = async () => {
  await client.account.logout();
  leave();
};

const SignOut = () => (
  <Act label="Sign out" title="Sign out everywhere" confirm="Sign out" run={signOut}>
    <p>All of your sessions end, also those on other devices. API tokens stay valid.</p>
  </Act>
);

/** The heading of a screen; it gets the focus when the screen changes. */
function Heading({ id, title }: Screen) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} – Administration`;
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [id]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  );
}

/** The page: the entrance, or the navigation and the screen that the URL names. */
export function App() {
  const hasSession = useSession();
  const me = useQuery((signal) => client.account.profile({ pscope: ['user', 'roles'] }, { signal }), []);
  const { screen: wanted } = usePlace();
  const { user, roles } = me.data ?? {};
  if (!hasSession && !user) return <Entrance />;
  const isOutsider = roles !== undefined && !roles.includes(ROLE);
  const [first] = SCREENS;
  const screen = isOutsider ? password : (SCREENS.find(({ id }) => id === wanted) ?? (first as Screen));
  const links = isOutsider ? [] : SCREENS.filter(({ isListed }) => isListed);
  return (
    <Me.Provider value={me.data}>
      <header>
        <strong>Administration</strong>
        {links.length > 0 && (
          <nav aria-label="Screens">
            {links.map(({ id, title }) => (
              <a key={id} href={hrefTo(id)} aria-current={id === screen.id ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
        )}
        <div class="row">
          <bdi>{user?.username}</bdi>
          <a href={hrefTo(password.id)}>Password</a>
          <SignOut />
        </div>
      </header>
      <main>
        <Heading {...screen} />
        <Notices />
        {me.error !== undefined && <Failed error={me.error} />}
        {isOutsider && (
          <p class="error">
            Your account lacks the role {ROLE}, which this page requires. You can change your password here.
          </p>
        )}
        <screen.View key={screen.id} />
      </main>
      {!hasSession && user && <SignInAgain username={user.username} />}
    </Me.Provider>
  );
}
