import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { CoreAccountError, type RequestOptions } from '../../client/index.ts';
import { Dialog, type DialogProps } from './dialog.tsx';
import { usePlace, useWarning, useWindow } from './place.ts';

/** What the service answers to the request with these options. */
export function answerOf() {
  const done = { message: '', requestId: '' };
  const options: RequestOptions = {
    onHeaders: (headers) => Object.assign(done, { requestId: headers.get('x-request-id') ?? '' }),
    onMessage: (message) => Object.assign(done, { message }),
  };
  return { done, options };
}

/** Outcome of an action: the answer of the service or its failure. */
interface Outcome {
  readonly done?: { readonly message: string; readonly requestId?: string };
  readonly error?: unknown;
  /** Follows the answer. */
  readonly link?: ComponentChildren;
  /** A dialog with a secret or a report, which the page shows once. */
  readonly shown?: DialogProps | undefined;
}

let last: Outcome = {};
const waiting: Outcome[] = [];

/** Shows the outcome of an action until the next one, or another screen; never instead of what is shown only now. */
export function notify(outcome: Outcome = {}) {
  if (last.shown) waiting.push(outcome);
  else last = outcome;
  dispatchEvent(new Event('notice'));
}

/** Closes the dialog of an outcome and shows the outcomes that have waited, up to the next with a dialog. */
function close({ shown: _, ...rest }: Outcome) {
  last = {};
  for (const outcome of [rest, ...waiting.splice(0)]) notify(outcome);
}

/** The outcome that the page shows. */
export const useOutcome = () => useWindow('notice', () => last);

const Request = ({ id }: { readonly id: string | undefined }) =>
  id ? (
    <small>
      Request <code>{id}</code>
    </small>
  ) : null;

/** A dialog that the page shows once: it outlasts its screen, only its button closes it, and the browser asks before it leaves. */
function Shown({ children, onClose, ...rest }: DialogProps & { readonly onClose: () => void }) {
  useWarning();
  return (
    <Dialog {...rest}>
      <div role="status">
        {children}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** The live region of the page, and the dialog with what is shown only now. */
export function Notices() {
  const { shown, done, error, link } = useOutcome();
  const [dismissed, dismiss] = useState<unknown>();
  const { screen } = usePlace();
  useLayoutEffect(() => () => last.shown || notify(), [screen]);
  const answer = error ? (
    <Failed error={error} />
  ) : (
    done?.message && (
      <div class="notice row">
        <span>{done.message}.</span>
        {!shown && link}
        <Request id={done.requestId} />
      </div>
    )
  );
  return (
    <>
      <div role="status">
        {answer && !shown && last !== dismissed && (
          <div class="control">
            <div>{answer}</div>
            <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(last)}>
              ×
            </button>
          </div>
        )}
      </div>
      {shown && (
        <Shown {...shown} onClose={() => close(last)}>
          {answer}
          {shown.children}
        </Shown>
      )}
    </>
  );
}

interface FailedProps {
  readonly error: unknown;
  /** Whether a field shows its own fault. */
  readonly isShown?: (field: string) => boolean;
  /** Replaces the text for credentials that are not valid. */
  readonly refusal?: string | undefined;
  /** What may succeed the next time. */
  readonly retry?: () => void;
}

/** A failure: the text of the service, each fault that has no field of its own, and the ID of the request. */
export function Failed({ error, isShown, refusal, retry }: FailedProps) {
  if (!(error instanceof CoreAccountError)) return <p role="alert" class="error">{`${error}`}</p>;
  const { operation, code, status, errors, requestId, retryAfter } = error;
  const faults = errors.map(({ field, message }) => ` ${field}: ${message}.`);
  const given = error.message.slice(`${operation}: ${code}. `.length).replace(faults.join(''), '');
  const text = (code === 'invalid_credentials' && refusal) || given || code;
  const others = faults.filter((_, index) => !isShown?.(errors[index]?.field ?? ''));
  const wait = retryAfter ? ` Wait ${retryAfter} seconds.` : '';
  return (
    <div role="alert" class="error">
      <div>{text + others.join('') + wait}</div>
      <Request id={requestId} />
      {retry && (status === 0 || status === 429 || status >= 500) && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
