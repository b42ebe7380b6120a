import type { FunctionComponent } from 'preact';
import { Pending } from './listing.tsx';
import { useQuery } from './query.ts';

/** A part of the page whose script is loaded on its first use. */
export function lazy<P extends object = object>(
  load: () => Promise<FunctionComponent<P>>,
): FunctionComponent<P> {
  let Loaded: FunctionComponent<P> | undefined;
  return function Lazy(props) {
    const loading = useQuery(async () => {
      Loaded = await load();
      return Loaded;
    }, []);
    return Loaded ? <Loaded {...props} /> : <Pending {...loading} />;
  };
}
