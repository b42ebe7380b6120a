import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { CoreAccountError } from '../../client/index.ts';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { usePlace, useWarning, useWindow } from './place.ts';

/** Outcome of an action: the answer of the service or its failure. */
interface Outcome {
  readonly done?: { readonly message: string; readonly requestId?: string };
  readonly error?: unknown;
  /** A dialog with a secret or a report, which the page shows once. */
  readonly shown?: DialogProps | undefined;
}

/** Outcomes with an open dialog, then the newest outcome. */
let outcomes: readonly Outcome[] = [];

function show(next: readonly Outcome[]) {
  outcomes = next;
  dispatchEvent(new Event('notice'));
}

/** Shows the outcome of an action until the next one, or another screen; dialogs that are shown once take precedence. */
export const notify = (outcome: Outcome = {}) => show([...outcomes.filter(({ shown }) => shown), outcome]);

/** Closes the dialog of the first outcome; its answer stays unless other outcomes have waited. */
function close() {
  const [{ shown: _, ...answer } = {}, ...others] = outcomes;
  show(others.length > 0 ? others : [answer]);
}

/** The outcome that the page shows. */
export const useOutcome = () => useWindow('notice', () => outcomes[0]) ?? {};

const Request = ({ id }: { readonly id: string | undefined }) =>
  id ? (
    <small>
      Request <code>{id}</code>
    </small>
  ) : null;

const Losing = createContext<(text: string) => void>(() => undefined);

/** Prompts with a text before the dialog that is shown once closes; an empty text closes it at once. */
export function useLoss(text: string) {
  const setLoss = useContext(Losing);
  useLayoutEffect(() => setLoss(text), [text]);
}

/** A dialog that the page shows once: it outlasts its screen, only a single click on its button closes it, and the browser prompts before it leaves. */
function Shown({ children, ...rest }: DialogProps) {
  const [loss, setLoss] = useState('');
  const [isWarned, setWarned] = useState(false);
  useWarning(true);
  const isLosing = isWarned && loss !== '';
  const press = ({ detail }: MouseEvent) => {
    if (detail > 1) return;
    if (loss && !isWarned) setWarned(true);
    else close();
  };
  return (
    <Dialog {...rest}>
      <div role="status">
        <Losing.Provider value={setLoss}>{children}</Losing.Provider>
        {isLosing && (
          <p role="alert" class="error">
            {loss}
          </p>
        )}
        <div class="row end">
          <Button class={isLosing ? 'danger' : undefined} onClick={press}>
            {isLosing ? 'Close all the same' : 'Close'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The live region of the page, and the dialog that is shown once. */
export function Notices() {
  const { shown, done, error } = useOutcome();
  const { screen } = usePlace();
  useLayoutEffect(() => () => notify(), [screen]);
  const answer = error ? (
    <Failed error={error} />
  ) : (
    done?.message && (
      <div class="notice row">
        <span>{done.message}.</span>
        <Request id={done.requestId} />
      </div>
    )
  );
  return (
    <>
      <div role="status">
        {answer && !shown && (
          <div class="control">
            <div>{answer}</div>
            <Button class="quiet" aria-label="Dismiss" onClick={() => notify()}>
              ×
            </Button>
          </div>
        )}
      </div>
      {shown && (
        <Shown {...shown}>
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
  /** Repeats the action, if it may succeed the next time. */
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
        <Button onClick={retry}>Try again</Button>
      )}
    </div>
  );
}
