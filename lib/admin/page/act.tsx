import { type ComponentChildren, isValidElement } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RequestOptions } from '../../client/index.ts';
import { Dialog, returnTo } from './dialog.tsx';
import { type Fields, Form } from './form.tsx';
import { answerOf, notify } from './notice.tsx';

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
  /** Sends the request with the options. An element that it answers, such as a secret, is shown until it is closed. */
  readonly run: (fields: Fields, options: RequestOptions) => Promise<unknown>;
  /** Called after a success, and when a refusal was read, to load the screen again. */
  readonly after?: (() => void) | undefined;
  /** A link that follows the answer, such as to what was created. */
  readonly link?: (fields: Fields) => ComponentChildren;
  /** The fields of the request. */
  readonly children?: ComponentChildren;
}

const UNKNOWN = 'You stopped waiting for the answer. Check whether the change was made before you try again.';

/**
 * An action: a button, a dialog that says what will change, and the answer with the ID of its request. Whoever
 * leaves the dialog or the screen while a request runs stops it; the page then says that its outcome is unknown.
 */
export function Act({ label, on, text, isDangerous, run, after, link, children }: Action) {
  const [isOpen, setOpen] = useState(false);
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
  };
  const send = async (fields: Fields) => {
    const { done, options } = answerOf();
    sent.current = new AbortController();
    isRefused.current = true;
    try {
      const result = await run(fields, { ...options, signal: sent.current.signal });
      isRefused.current = false;
      after?.();
      close();
      const shown = isValidElement(result) ? { title: label, on, children: result } : undefined;
      // The focus is on the button again before a dialog with the result takes it.
      queueMicrotask(() => notify({ done, link: link?.(fields), shown }));
    } catch (error) {
      if (sent.current) throw error;
      notify({ error });
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
        <Dialog title={label} on={on} onEscape={leave}>
          <Form onSubmit={send} submit={label} isDangerous={isDangerous} onBack={leave}>
            {text && <p>{text}</p>}
            {children}
          </Form>
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
