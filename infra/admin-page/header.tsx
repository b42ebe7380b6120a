import { useContext } from 'preact/hooks';
import type { Action } from './act.tsx';
import { Avatar } from './avatar.tsx';
import { Menu } from './menu.tsx';
import { OWN_PARTS } from './own-parts.ts';
import { hrefTo } from './place.ts';
import { Search } from './search.tsx';
import { ADMINISTRATOR, client, leave, Me, useInstance } from './session.ts';

interface HeaderProps {
  /** The links of the navigation, by the IDs of their screens. */
  readonly links: Readonly<Record<string, string>>;
  /** ID of the screen that is shown. */
  readonly screen: string;
}

const logOut: Action = {
  label: 'Log out',
  text: 'All of your sessions end, also those on other devices. API tokens stay valid.',
  run: (_, options) => client.account.logout({}, options).then(leave),
};

/** Who is signed in, with links to the own account. */
function MyMenu() {
  const { user, roles = [] } = useContext(Me) ?? {};
  const links = OWN_PARTS.map(({ id, title }) => ({ label: title, href: hrefTo('me', { part: id }) }));
  const name = `${user?.user_first_name ?? ''} ${user?.user_last_name ?? ''}`.trim();
  return (
    <Menu
      label="Your account"
      on={user?.username}
      of={[...links, logOut]}
      button={<Avatar of={user ?? { username: '' }} />}
    >
      <div class="who">
        <strong>
          <bdi>{name || user?.username}</bdi>
        </strong>
        <div class="faint small">
          {name && (
            <>
              <bdi>{user?.username}</bdi> ·{' '}
            </>
          )}
          {roles.includes(ADMINISTRATOR) ? 'Administrator' : 'No administrator'}
        </div>
      </div>
    </Menu>
  );
}

/** The bar above all screens: the instance, the navigation, the search, and who is signed in. */
export function Header({ links, screen }: HeaderProps) {
  const instance = useInstance();
  const entries = Object.entries(links);
  return (
    <header>
      <strong title={instance}>
        <bdi>{instance}</bdi>
      </strong>
      {entries.length > 0 && (
        <nav aria-label="Screens">
          {entries.map(([id, link]) => (
            <a key={id} href={hrefTo(id)} aria-current={id === screen ? 'page' : undefined}>
              {link}
            </a>
          ))}
        </nav>
      )}
      <div class="row end">
        {entries.length > 0 && <Search />}
        <MyMenu />
      </div>
    </header>
  );
}
