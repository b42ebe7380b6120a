import { CoreAccountError } from '#lib/client/index';
import { sleep } from '#lib/client/wait';

/** Longest wait in seconds, however long the service asks for: then it may have changed its mind. */
const MAX_WAIT = 3600;

interface Patience {
  /** Statuses of answers after which a request is sent again; 0 is no answer. */
  readonly after: readonly number[];
  /** Ends the waits. */
  readonly signal?: AbortSignal | undefined;
  /** Thrown in place of a request after that. */
  readonly unsent: unknown;
  /** Receives when the requests go on, before each request. */
  readonly tell: (goesOn: Date | undefined) => void;
}

/**
 * Sends the requests of one piece of work. While the service is busy, all of them wait: as long as `Retry-After` says, at
 * most an hour, else 1, 2, 4 and up to 60 seconds.
 */
export function patient({ after, signal, unsent, tell }: Patience) {
  let goesOn = 0;
  const turn = async () => {
    for (let ms = goesOn - Date.now(); ms > 0 && !signal?.aborted; ms = goesOn - Date.now())
      await sleep(ms, signal).catch(() => {});
    if (signal?.aborted) throw unsent;
    tell(undefined);
  };
  return async <T>(send: () => Promise<T>): Promise<T> => {
    for (let attempts = 0; ; attempts++) {
      await turn();
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof CoreAccountError && after.includes(error.status))) throw error;
        const seconds = error.retryAfter ?? Math.min(2 ** attempts, 60);
        goesOn = Math.max(goesOn, Date.now() + Math.min(seconds, MAX_WAIT) * 1000);
        tell(new Date(goesOn));
      }
    }
  };
}
