import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Focuses an element once the screen is drawn; if it is gone and nothing else has the focus, the heading. */
export const returnTo = (element: HTMLElement | null) =>
  queueMicrotask(() => {
    if (element?.isConnected) element.focus();
    else if (document.activeElement === document.body) document.querySelector('h1')?.focus();
  });

/** A button that may go once it is pressed, as that of a lock on an account: it does not take the focus with it. */
export function Button(props: JSX.IntrinsicElements['button']) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => () => {
      if (document.activeElement === button.current) returnTo(button.current);
    },
    [],
  );
  return <button ref={button} type="button" {...props} />;
}
