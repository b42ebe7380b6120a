import { useContext } from 'preact/hooks';
import { header as t } from '#texts/header';
import { Avatar } from './avatar.tsx';
import { logOut } from './log-out.tsx';
import { Menu } from './menu.tsx';
import { OWN_PARTS } from './own-parts.ts';
import { Owner } from './owner.tsx';
import { hrefTo } from './place.ts';
import type { Screen } from './screen.ts';
import { Search } from './search.tsx';
import { ADMINISTRATOR, Me } from './session.ts';
import { shownSection } from './title.tsx';

interface HeaderProps {
  /** The screens that the navigation has links to. */
  readonly screens: readonly Screen[];
  /** The screen that is shown. */
  readonly shown: Screen;
}

/** Who is signed in, with links to the own account, the other language and the documentation. */
function MyMenu({ isCurrent }: { readonly isCurrent: boolean }) {
  const { user, roles = [] } = useContext(Me) ?? {};
  const { language, name: label } = t.other;
  const links = [
    ...OWN_PARTS.map(({ id, title }) => ({ label: title, href: hrefTo('me', { part: id }) })),
    { label, href: `?language=${language}${location.hash}`, lang: language, isApart: true },
    { label: t.docs, href: 'docs' },
  ];
  const name = `${user?.user_first_name ?? ''} ${user?.user_last_name ?? ''}`.trim();
  return (
    <Menu
      label={t.yourAccount}
      isCurrent={isCurrent}
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
          {roles.includes(ADMINISTRATOR) ? t.administrator : t.noAdministrator}
        </div>
      </div>
    </Menu>
  );
}

/** The bar above all screens: the owner of the instance, the navigation, the search, and who is signed in. */
export function Header({ screens, shown }: HeaderProps) {
  const section = shownSection.value ?? shown.section ?? shown.id;
  return (
    <header>
      <strong>
        <Owner />
      </strong>
      {screens.length > 0 && (
        <nav aria-label={t.screens}>
          {screens.map(({ id, link, Count }) => (
            <a
              key={id}
              href={hrefTo(id)}
              aria-current={id === shown.id ? 'page' : id === section ? 'true' : undefined}
            >
              {link}
              {Count && <Count />}
            </a>
          ))}
        </nav>
      )}
      <div class="row end">
        {screens.length > 0 && <Search />}
        <MyMenu isCurrent={section === 'me'} />
      </div>
    </header>
  );
}
