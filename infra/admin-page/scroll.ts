import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Wait after the last scroll, in milliseconds: browsers limit how often a page may write into its history. */
const REST_MS = 100;

/** What people scroll with. */
const INTENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/** Whether the present entry of the history has been shown before, and where it was scrolled to. */
export const isSeen = () => history.state?.top !== undefined;

/**
 * Keeps the scroll position of each entry of the history, and returns to it, also while what it shows is still loading; a
 * new screen begins at its top.
 *
 * @param screen changes with what begins at its top
 */
export function useScroll(screen: string) {
  const last = useRef(screen);
  const isReturning = useRef(false);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    let timer: ReturnType<typeof setTimeout>;
    const note = () => {
      clearTimeout(timer);
      const { href } = location;
      timer = setTimeout(() => {
        if (isReturning.current || location.href !== href) return;
        history.replaceState({ ...history.state, top: scrollY }, '');
      }, REST_MS);
    };
    addEventListener('scroll', note, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', note);
    };
  }, []);
  useLayoutEffect(() => {
    const { top } = history.state ?? {};
    if (top === undefined && last.current !== screen) scrollTo(0, 0);
    last.current = screen;
    if (!top) return;
    isReturning.current = true;
    const resizing = new ResizeObserver(() => {
      scrollTo(0, top);
      if (Math.abs(scrollY - top) <= 1) end();
    });
    const end = () => {
      isReturning.current = false;
      resizing.disconnect();
      for (const intent of INTENTS) removeEventListener(intent, end);
    };
    for (const intent of INTENTS) addEventListener(intent, end, { passive: true });
    resizing.observe(document.body);
    return end;
  }, [location.hash]);
}
