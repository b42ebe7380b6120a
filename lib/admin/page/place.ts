import { useLayoutEffect, useState } from 'preact/hooks';

/** The state of a screen in the URL. */
export type State = Readonly<Record<string, string | undefined>>;

/** A value that is read again at each event of the window. */
export function useWindow<T>(event: string, read: () => T): T {
  const [value, set] = useState(read);
  useLayoutEffect(() => {
    const again = () => set(read);
    addEventListener(event, again);
    again();
    return () => removeEventListener(event, again);
  }, [event]);
  return value;
}

/** While the component is there, the browser asks before it leaves the page. */
export const useWarning = () =>
  useLayoutEffect(() => {
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);

/** Address of a screen: `#accounts?state=locked`. Empty values are left out. */
export function hrefTo(screen: string, state: State = {}): string {
  const given = Object.entries(state).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim()));
  const query = new URLSearchParams(given);
  return `#${screen}${query.size > 0 ? `?${query}` : ''}`;
}

/** The screen that opens by default. */
const HOME = 'accounts';

function placeOf(hash: string) {
  const [screen, query] = hash.slice(1).split('?', 2);
  return { screen: screen || HOME, state: Object.fromEntries(new URLSearchParams(query)) as State };
}

/** The screen and its state, which follow the URL. */
export const usePlace = () => placeOf(useWindow('hashchange', () => location.hash));

/**
 * Changes some of the state in the URL; undefined removes a value.
 *
 * @param isReplaced whether Back skips the state before
 */
export function change(changes: State, isReplaced = false) {
  const { screen, state } = placeOf(location.hash);
  history[isReplaced ? 'replaceState' : 'pushState'](null, '', hrefTo(screen, { ...state, ...changes }));
  // The event of a location comes later, when somebody may have typed on.
  dispatchEvent(new Event('hashchange'));
}
