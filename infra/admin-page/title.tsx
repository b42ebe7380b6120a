import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useInstance } from './session.ts';

/** The title of the tab: what it shows, then the instance. */
export function useTitle(title: string) {
  const instance = useInstance();
  useLayoutEffect(() => {
    document.title = `${title} – ${instance}`;
  }, [title, instance]);
}

interface PageTitleProps {
  /** Whom or what the screen shows. */
  readonly title: string;
  /** An avatar before it. */
  readonly before?: ComponentChildren;
  /** A line below it. */
  readonly note?: ComponentChildren;
  /** Actions and links at its end. */
  readonly children?: ComponentChildren;
}

/** A new screen begins at its heading, also for a screen reader. */
const focus = (heading: HTMLHeadingElement | null) => heading?.focus();

/** The heading of a screen, which names the tab. */
export function PageTitle({ title, before, note, children }: PageTitleProps) {
  useTitle(title);
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
