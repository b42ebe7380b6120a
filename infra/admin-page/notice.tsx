import { signal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RequestOptions } from '#lib/client/index';
import { forms as t } from '#texts/forms';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { Failed } from './failed.tsx';
import { Icon } from './icon.tsx';
import { usePlace, useWarning } from './place.ts';

/** A change that takes back another one. */
export interface Undo<Answer = unknown> {
  /** Text of its button, such as “Unlock”. */
  readonly label: string;
  readonly run: (options: RequestOptions) => Promise<Answer>;
  /** Text of its answer, which names whom it is about; by default that of the service. */
  readonly done?: ComponentChildren;
}

/** Answer of the service: what happened, and what is next. */
interface Done {
  readonly message: ComponentChildren;
  readonly requestId?: string;
}

/** Outcome of an action: the answer of the service or its failure. */
interface Outcome {
  readonly done?: Done;
  readonly undo?: Undo | undefined;
  readonly error?: unknown;
  /** A dialog with a secret or a report, which the page shows once. */
  readonly shown?: DialogProps | undefined;
}

/** Outcomes with an open dialog, then the newest outcome. */
const outcomes = signal<readonly Outcome[]>([]);

/** Shows the outcome of an action until the next one, or another screen; dialogs that are shown once take precedence. */
export function notify(outcome: Outcome = {}) {
  outcomes.value = [...outcomes.value.filter(({ shown }) => shown), outcome];
}

/** Closes the dialog of the first outcome; its answer stays unless other outcomes have waited. */
function close() {
  const [{ shown: _, ...answer } = {}, ...others] = outcomes.value;
  outcomes.value = others.length > 0 ? others : [answer];
}

/** The outcome that the page shows. */
export const useOutcome = () => outcomes.value[0] ?? {};

/** A title of the service, such as “Team Created”, as the beginning of a sentence; an abbreviation keeps its capitals. */
const asSentence = (title: string) => title.replace(/ [A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());

/** Options of a request that collect its answer. */
export function collect(signal?: AbortSignal) {
  const done = { message: '', requestId: '' };
  const options: RequestOptions = {
    ...(signal && { signal }),
    onHeaders: (headers) => Object.assign(done, { requestId: headers.get('x-request-id') ?? '' }),
    onMessage: (message) => Object.assign(done, { message: t.answer(asSentence(message)) }),
  };
  return { done, options };
}

function UndoButton({ label, run, done: told }: Undo) {
  const [isSent, setSent] = useState(false);
  const undo = () => {
    if (isSent) return;
    setSent(true);
    const { done, options } = collect();
    run(options).then(
      () => notify({ done: { ...done, message: told ?? done.message } }),
      (error) => notify({ error }),
    );
  };
  return (
    <Button aria-disabled={isSent} onClick={undo}>
      {label}
    </Button>
  );
}

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
            {isLosing ? t.closeAllTheSame : t.close}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Ends with a period unless the text has an end of its own. */
const sentence = (text: ComponentChildren) =>
  typeof text === 'string' && !/[.!?…]$/.test(text) ? `${text}.` : text;

/** Screen of the list of people: one goes there to see what a change did, and may take it back. */
const LIST = 'accounts';

/** Drops the outcome when another screen, part or person is shown; one that can be taken back stays on the list. */
function useLeaving(canUndo: boolean) {
  const { screen, state } = usePlace();
  const place = `${screen} ${state['username']} ${state['part']}`;
  const last = useRef(place);
  useLayoutEffect(() => {
    if (last.current !== place && !(canUndo && screen === LIST)) notify();
    last.current = place;
  }, [place]);
  useLayoutEffect(() => () => notify(), []);
}

/** Whether a pointer is pressed. */
const isPressed = signal(false);
addEventListener('pointerdown', () => {
  isPressed.value = true;
});
// After the click that follows.
for (const event of ['pointerup', 'pointercancel'])
  addEventListener(event, () =>
    setTimeout(() => {
      isPressed.value = false;
    }),
  );

/** A value that changes while no pointer is pressed: otherwise what is clicked would move away under it. */
function useResting<T>(value: T): T {
  const rested = useRef(value);
  if (!isPressed.value) rested.current = value;
  return rested.current;
}

/** The live region of the page, and the dialog that is shown once. */
export function Notices() {
  const { shown, done, undo, error } = useResting(useOutcome());
  useLeaving(undo !== undefined);
  const answer = error ? (
    <Failed error={error} />
  ) : (
    done?.message && (
      <div class="notice glyph-done">
        <span>{sentence(done.message)}</span>
        {undo && <UndoButton key={done} {...undo} />}
      </div>
    )
  );
  return (
    <>
      <div role="status" class="outcome">
        {answer && !shown && (
          <div class="answer">
            <div>{answer}</div>
            <Button class="quiet icon" aria-label={t.dismiss} onClick={() => notify()}>
              <Icon of="close" />
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
