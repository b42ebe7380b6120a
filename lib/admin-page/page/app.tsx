import { Act } from './act.tsx';
import { Pending } from './listing.tsx';
import { Notices } from './notice.tsx';
import { Entrance, LogInAgain } from './passwords.tsx';
import { hrefTo, usePlace } from './place.ts';
import { useQuery } from './query.ts';
import { password, SCREENS } from './screens/index.ts';
import { ADMINISTRATOR, client, leave, Me, useRefusals, useSession } from './session.ts';

/** The heading of a screen gets the focus with it, and names the page. */
function announce(heading: HTMLHeadingElement | null) {
  if (!heading) return;
  document.title = `${heading.textContent} – Administration`;
  heading.focus();
}

/** The page: the entrance, or the navigation and the screen that the URL names. */
export function App() {
  const hasSession = useSession();
  const me = useQuery(
    (signal) => client.account.profile({ pscope: ['user', 'roles'] }, { signal }),
    [useRefusals()],
  );
  const { screen: wanted, state } = usePlace();
  const { user, roles } = me.data ?? {};
  const isOutsider = roles !== undefined && !roles.includes(ADMINISTRATOR);
  const screen = isOutsider ? password : (SCREENS.find(({ id }) => id === wanted) ?? SCREENS[0]);
  if (!hasSession && !user) return <Entrance />;
  const links = isOutsider ? [] : SCREENS.filter(({ isHidden }) => !isHidden);
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
          <Act
            label="Log out"
            on={user?.username}
            text="All of your sessions end, also those on other devices. API tokens stay valid."
            run={(_, options) => client.account.logout({}, options).then(leave)}
          />
        </div>
      </header>
      <main>
        <h1 key={screen.id} ref={announce} tabIndex={-1}>
          {screen.title}
        </h1>
        <Notices />
        <Pending {...me} isLoading={false} />
        {isOutsider && (
          <p class="card">
            Your account lacks the role {ADMINISTRATOR}: without it, this page can only change your password.
          </p>
        )}
        <screen.View key={`${screen.id} ${state['username']}`} />
      </main>
      {!hasSession && user && <LogInAgain username={user.username} />}
    </Me.Provider>
  );
}
