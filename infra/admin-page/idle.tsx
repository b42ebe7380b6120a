import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** How often the page looks whether its screen is shown, in milliseconds. */
const LOOK_MS = 2000;

/** Whether somebody looks at the page, and its screen does not load any more. */
const isShown = () => !document.hidden && document.querySelector('main [aria-busy="true"]') === null;

/** A part of the page that nobody waits for: its script is loaded after the screen, and without it there is nothing. */
export const whenIdle = (load: () => Promise<FunctionComponent>): FunctionComponent =>
  function Idle() {
    const [Loaded, setLoaded] = useState<FunctionComponent>();
    useEffect(() => {
      const look = () => {
        if (!isShown()) return;
        clearInterval(timer);
        load().then(
          (loaded) => setLoaded(() => loaded),
          () => undefined,
        );
      };
      const timer = setInterval(look, LOOK_MS);
      return () => clearInterval(timer);
    }, []);
    return Loaded ? <Loaded /> : null;
  };
