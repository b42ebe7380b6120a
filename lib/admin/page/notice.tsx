import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { CoreAccountError, type RequestOptions } from '../../client/index.ts';
import { usePlace, useWindow } from './place.ts';

/** What the service answered to an action. */
export interface Done {
  readonly message: string;
  readonly requestId?: string | undefined;
}

/** What the service answers to the request with these options. */
export function answerOf() {
  const done = { message: '', requestId: '' };
  const options: RequestOptions = {
    onHeaders: (headers) => Object.assign(done, { requestId: headers.get('x-request-id') ?? '' }),
    onMessage: (message) => Object.assign(done, { message }),
  };
  return { done, options };
}

let last: ComponentChildren;

/** Shows the outcome of an action until the next one, or another screen. */
export function notify(outcome: ComponentChildren) {
  last = outcome;
  dispatchEvent(new Event('notice'));
}

const Request = ({ id }: { readonly id: string | undefined }) =>
  id ? (
    <small>
      Request <code>{id}</code>
    </small>
  ) : null;

/** The answer to an action. */
export const Answered = ({ message, requestId }: Done) => (
  <div class="notice row">
    <span>{message}.</span>
    <Request id={requestId} />
  </div>
);

/** The live region of the page. */
export function Notices() {
  const outcome = useWindow('notice', () => last);
  const { screen } = usePlace();
  useLayoutEffect(() => () => notify(undefined), [screen]);
  return (
    <div role="status">
      {outcome && (
        <div class="control">
          <div>{outcome}</div>
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => notify(undefined)}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly isShown?: (field: string) => boolean;
  readonly retry?: () => void;
}

/**
 * A failure: the text of the service, each fault that has no field of its own, and the ID of the request.
 *
 * @param isShown whether a field shows its own fault
 * @param retry what may succeed the next time
 */
export function Failed({ error, isShown, retry }: FailedProps) {
  if (!(error instanceof CoreAccountError)) return <p role="alert" class="error">{`${error}`}</p>;
  const { operation, code, status, errors, requestId, retryAfter } = error;
  const faults = errors.map(({ field, message }) => ` ${field}: ${message}.`);
  const text = error.message.slice(`${operation}: ${code}. `.length).replace(faults.join(''), '');
  const others = faults.filter((_, index) => !isShown?.(errors[index]?.field ?? ''));
  const wait = retryAfter ? ` Wait ${retryAfter} seconds.` : '';
  return (
    <div role="alert" class="error">
      <div>{(text || code) + others.join('') + wait}</div>
      <Request id={requestId} />
      {retry && (status === 0 || status === 429 || status >= 500) && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
