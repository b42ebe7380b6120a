import { type ComponentChildren, isValidElement } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RequestOptions } from '../../client/index.ts';
import { type Fields, Form } from './form.tsx';
import { Answered, answerOf, type Done, Failed, notify } from './notice.tsx';

interface DialogProps {
  readonly title: string;
  /** Name of what it is about. */
  readonly on?: string | undefined;
  /** Called by Escape; the dialog stays open until it is removed. */
  readonly onEscape?: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Focuses an element once the screen is drawn, or the heading if the element is gone. */
const returnTo = (element: HTMLElement | null) =>
  queueMicrotask(() => (element?.isConnected ? element : document.querySelector('h1'))?.focus());

/** A modal dialog; after it, the focus returns to where it was. */
export function Dialog({ title, on, onEscape, children, class: name }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => returnTo(opener);
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onEscape?.();
      }}
      // Browsers let a page prevent one Escape, not the next.
      onClose={() => {
        onEscape?.();
        dialog.current?.showModal();
      }}
    >
      <h2 id={id}>
        {on ? `${title}: ` : title}
        <bdi>{on}</bdi>
      </h2>
      {children}
    </dialog>
  );
}

export interface Action {
  /** Text of the button that opens the dialog, and of the one that sends the request. */
  readonly label: string;
  /** Name of what it changes, in the title of the dialog. */
  readonly on?: string | undefined;
  /** What will change. */
  readonly text?: string;
  /** Whether it is offered; by default it is. */
  readonly isDue?: boolean;
  readonly isDangerous?: boolean | undefined;
  /** Sends the request with the options. An element that it answers is shown in the dialog, such as a secret. */
  readonly run: (fields: Fields, options: RequestOptions) => Promise<unknown>;
  /** Called after a success, and when a refusal was read, to load the screen again. */
  readonly after?: (() => void) | undefined;
  /** Called when the dialog closes. */
  readonly onClose?: () => void;
  /** The fields of the request. */
  readonly children?: ComponentChildren;
}

const UNKNOWN = 'You stopped waiting for the answer. Check whether the change was made before you try again.';

/**
 * An action: a button, a dialog that says what will change, and the answer with the ID of its request. Whoever
 * leaves the dialog or the screen while a request runs stops it; the page then says that its outcome is unknown.
 */
export function Act({ label, on, text, isDangerous, run, after, onClose, children }: Action) {
  const [isOpen, setOpen] = useState(false);
  const [result, setResult] = useState<{ done: Done; shown: ComponentChildren }>();
  const sent = useRef<AbortController | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const isRefused = useRef(false);
  const stop = () => sent.current?.abort(UNKNOWN);
  useLayoutEffect(
    () => () => {
      stop();
      sent.current = undefined;
      // The button of a lock, for example, is gone once the account is locked.
      if (document.activeElement === button.current) returnTo(button.current);
    },
    [],
  );
  const close = () => {
    // Perhaps somebody else changed it.
    if (isRefused.current) after?.();
    isRefused.current = false;
    setOpen(false);
    setResult(undefined);
    onClose?.();
  };
  const send = async (fields: Fields) => {
    const { done, options } = answerOf();
    sent.current = new AbortController();
    isRefused.current = true;
    try {
      const shown = await run(fields, { ...options, signal: sent.current.signal });
      isRefused.current = false;
      after?.();
      const isShown = isValidElement(shown);
      if (isShown && sent.current) return setResult({ done, shown });
      notify(isShown ? shown : <Answered {...done} />);
      close();
    } catch (error) {
      if (sent.current) throw error;
      notify(<Failed error={error} />);
    } finally {
      sent.current = undefined;
    }
  };
  const leave = () => (sent.current ? stop() : close());
  return (
    <>
      <button
        ref={button}
        type="button"
        class={isDangerous ? 'danger' : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && (
        // A result closes by its button only: nobody can read a secret again.
        <Dialog title={label} on={on} {...(!result && { onEscape: leave })}>
          {result ? (
            <div role="status">
              {result.done.message && <Answered {...result.done} />}
              {result.shown}
              <div class="row end">
                <button type="button" onClick={close}>
                  Close
                </button>
              </div>
            </div>
          ) : (
            <Form onSubmit={send} submit={label} isDangerous={isDangerous} onBack={leave}>
              {text && <p>{text}</p>}
              {children}
            </Form>
          )}
        </Dialog>
      )}
    </>
  );
}

/** The buttons of some actions on the same thing. */
export const Acts = ({ of, ...rest }: Pick<Action, 'on' | 'after'> & { of: readonly Action[] }) => (
  <span class="row">
    {of.map(({ isDue = true, ...action }) => isDue && <Act key={action.label} {...rest} {...action} />)}
  </span>
);
