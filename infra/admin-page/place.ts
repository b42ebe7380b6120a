import { useLayoutEffect, useState } from 'preact/hooks';
import { trimmed } from '#lib/text/trimmed';

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

/** Makes the browser prompt before it leaves the page. */
export const useWarning = (isOn: boolean) =>
  useLayoutEffect(() => {
    const ask = (event: Event) => event.preventDefault();
    if (isOn) addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isOn]);

/** Address of a screen: `#accounts?state=locked`. Empty values are left out. */
export function hrefTo(screen: string, state: State = {}): string {
  const given = Object.entries(state).filter((entry): entry is [string, string] =>
    Boolean(trimmed(entry[1] ?? '')),
  );
  const query = new URLSearchParams(given);
  return `#${screen}${query.size > 0 ? `?${query}` : ''}`;
}

/** The screen and its state, which follow the URL. */
export function usePlace() {
  const [, screen, query] = useWindow('hashchange', () => location.hash).split(/[#?]/);
  return { screen: screen || 'accounts', state: Object.fromEntries(new URLSearchParams(query)) as State };
}

/** Goes to an address, or replaces the present one, so that Back skips it. */
export function go(href: string, isReplaced = false) {
  history[isReplaced ? 'replaceState' : 'pushState'](null, '', href);
  // The browser's own event comes later, when more may have been typed.
  dispatchEvent(new Event('hashchange'));
}
