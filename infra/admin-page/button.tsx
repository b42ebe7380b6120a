import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Focuses an element once the screen is drawn, or the heading if the element is gone and nothing has the focus. */
export const returnTo = (element: HTMLElement | null) =>
  queueMicrotask(() => {
    if (element?.isConnected) element.focus();
    else if (document.activeElement === document.body) document.querySelector('h1')?.focus();
  });

/** A button that may disappear when pressed, such as Lock: the focus then moves to the heading. */
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
