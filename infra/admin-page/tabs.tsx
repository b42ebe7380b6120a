import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hrefTo, usePlace } from './place.ts';

/** A part of a screen with an address of its own. */
export interface Part {
  /** Its value in the URL. */
  readonly id: string;
  readonly title: string;
}

interface TabsProps<P extends Part> {
  readonly label: string;
  /** The first one is shown by default. */
  readonly of: readonly [P, ...P[]];
  /** Name in the URL. */
  readonly at?: string;
  /** Screen of the links; by default that of the URL. */
  readonly screen?: string;
  readonly children: (shown: P) => ComponentChildren;
}

/** Links to the parts of a screen, and the part that the URL names. */
export function Tabs<P extends Part>({ label, of, at = 'part', children, ...rest }: TabsProps<P>) {
  const { screen, state } = usePlace();
  const shown = of.find(({ id }) => id === state[at]) ?? of[0];
  // The state of another part, such as its cursor, is left out.
  const { username } = state;
  const tabs = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    // Not `scrollIntoView`, which may scroll the screen, too.
    if (tab)
      tabs.current?.scrollTo({ left: tab.offsetLeft - (tabs.current.clientWidth - tab.offsetWidth) / 2 });
  }, [shown.id]);
  return (
    <>
      {of.length > 1 && (
        <nav ref={tabs} class="tabs" aria-label={label}>
          {of.map(({ id, title }) => (
            <a
              key={id}
              href={hrefTo(rest.screen ?? screen, { username, [at]: id })}
              aria-current={id === shown.id ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
      )}
      {children(shown)}
    </>
  );
}
