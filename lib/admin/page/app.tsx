import { useEffect, useRef } from 'preact/hooks';
import { Act } from './act.tsx';
import { Pending } from './listing.tsx';
import { Notices } from './notice.tsx';
import { Entrance, SignInAgain } from './passwords.tsx';
import { hrefTo, usePlace } from './place.ts';
import { useQuery } from './query.ts';
import { password, SCREENS, type Screen } from './screens/index.ts';
import { ADMINISTRATOR, client, leave, Me, useRefusals, useSession } from './session.ts';

const SignOut = ({ username }: { username: string | undefined }) => (
  <Act
    label="Sign out"
    on={username}
    text="All of your sessions end, also those on other devices. API tokens stay valid."
    run={() => client.account.logout().then(leave)}
  />
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
  const me = useQuery(
    (signal) => client.account.profile({ pscope: ['user', 'roles'] }, { signal }),
    [useRefusals()],
  );
  const { screen: wanted } = usePlace();
  const { user, roles } = me.data ?? {};
  const isOutsider = roles !== undefined && !roles.includes(ADMINISTRATOR);
  const screen = isOutsider ? password : (SCREENS.find(({ id }) => id === wanted) ?? SCREENS[0]);
  if (!hasSession && !user) return <Entrance />;
  const links = isOutsider ? [] : SCREENS.filter(({ isUnlisted }) => !isUnlisted);
  return (
    <Me.Provider value={me.data}>
      <header>
        <strong>Administration</strong>
        {links.length > 0 && (
          <nav class="row" aria-label="Screens">
            {links.map(({ id, title }) => (
              <a key={id} href={hrefTo(id)} aria-current={id === screen.id ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
        )}
        <div class="row">
          <a href={hrefTo(password.id)}>Password</a>
          <SignOut username={user?.username} />
        </div>
      </header>
      <main>
        <Heading {...screen} />
        <Notices />
        <Pending {...me} isLoading={false} />
        {isOutsider && (
          <p class="card">
            Your account lacks the role {ADMINISTRATOR}: without it, this page can only change your password.
          </p>
        )}
        <screen.View key={screen.id} />
      </main>
      {!hasSession && user && <SignInAgain username={user.username} />}
    </Me.Provider>
  );
}
