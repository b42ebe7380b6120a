import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useInstance } from './session.ts';

/** The title of what covers the screen, such as a document. */
export const cover = signal('');

/** The title of the tab: what it shows, then the instance. */
export function useTitle(title: string) {
  const instance = useInstance();
  const shown = cover.value || title;
  useLayoutEffect(() => {
    document.title = `${shown} – ${instance}`;
  }, [shown, instance]);
}

/** ID of the screen whose link is marked in the navigation, where what is shown decides it. */
export const shownSection = signal<string | undefined>(undefined);

interface PageTitleProps {
  /** Whom or what the screen shows. */
  readonly title: string;
  /** An avatar before it. */
  readonly before?: ComponentChildren;
  /** A line below it. */
  readonly note?: ComponentChildren;
  /** ID of the screen that it belongs to; by default that of its screen. */
  readonly section?: string | undefined;
  /** Actions and links at its end. */
  readonly children?: ComponentChildren;
}

/** A new screen begins at its heading, also for a screen reader. */
const focus = (heading: HTMLHeadingElement | null) => heading?.focus({ preventScroll: true });

/** The heading of a screen, which names the tab. */
export function PageTitle({ title, before, note, section, children }: PageTitleProps) {
  useTitle(title);
  useLayoutEffect(() => {
    shownSection.value = section;
    return () => {
      shownSection.value = undefined;
    };
  }, [section]);
  return (
    <div class="heading">
      {before}
      <div>
        <h1 ref={focus} tabIndex={-1} title={title}>
          <bdi>{title}</bdi>
        </h1>
        {note && <p class="faint">{note}</p>}
      </div>
      {children}
    </div>
  );
}
