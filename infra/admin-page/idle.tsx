import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Wait before a part is loaded that nobody waits for, in milliseconds: the first screen comes first. */
const WAIT_MS = 2000;

/** A part of the page that nobody waits for: its script is loaded later, and without it there is nothing. */
export const whenIdle = (load: () => Promise<FunctionComponent>): FunctionComponent =>
  function Idle() {
    const [Loaded, setLoaded] = useState<FunctionComponent>();
    useEffect(() => {
      const begin = () =>
        load().then(
          (loaded) => setLoaded(() => loaded),
          () => undefined,
        );
      const timer = setTimeout(begin, WAIT_MS);
      return () => clearTimeout(timer);
    }, []);
    return Loaded ? <Loaded /> : null;
  };
