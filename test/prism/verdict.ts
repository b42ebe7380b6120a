import type { Exchange } from './exchange.ts';
import type { Judgement } from './judge.ts';

/** What Prism says of a body where the document knows none. */
const NO_BODY_KNOWN = 'request: No supported content types, but request included a non-empty body';

/** An endpoint that takes no body takes an empty object for none, so that clients may send one everywhere. */
const isNone = ({ body }: Exchange, violation: string) => violation === NO_BODY_KNOWN && `${body}` === '{}';

const NOT_KNOWN = 'request: Selected route not found';

/** The page that shows the document is no part of it. */
const isPage = ({ path }: Exchange, violation: string) =>
  violation === NOT_KNOWN && /^\/api\/core\/docs(?![\w-])/.test(path);

const isAccepted = ({ status }: Exchange) => status >= 200 && status < 300;

/** Adds up what Prism has found. Requests that the service refuses may well violate the document. */
export function newVerdict() {
  const faults = new Map<string, number>();
  const failures: string[] = [];
  let [exchanges, accepted, refused, partial] = [0, 0, 0, 0];
  const count = ({ method, path, status }: Exchange, violation: string) => {
    const fault = `${method} ${path.replace(/\?.*/, '')} ${status}  ${violation}`;
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
  };

  return {
    take({ exchange, response, request, whole }: Judgement) {
      exchanges += 1;
      if (!whole) partial += 1;
      for (const violation of response) count(exchange, violation);
      if (!isAccepted(exchange)) refused += request.length > 0 ? 1 : 0;
      else {
        accepted += 1;
        for (const violation of whole ? request : [])
          if (!isNone(exchange, violation) && !isPage(exchange, violation)) count(exchange, violation);
      }
    },
    fail: (error: Error) => void failures.push(error.message),
    /** A run in which nothing was compared proves nothing. */
    isClean: () => exchanges > 0 && faults.size === 0 && failures.length === 0,
    text: () =>
      [
        ...[...faults].map(([fault, times]) => `${times} x  ${fault}`),
        ...failures,
        `Prism has compared ${exchanges} exchanges, of which ${accepted} were accepted: ${faults.size} violations.`,
        `${refused} refused requests violate the document, as they are meant to; of ${partial} it could not read the body.`,
      ].join('\n'),
  };
}
