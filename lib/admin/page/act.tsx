import { type ComponentChildren, isValidElement } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RequestOptions } from '../../client/index.ts';
import { type Fields, Form } from './form.tsx';
import { Answered, answerOf, type Done, notify } from './notice.tsx';

interface DialogProps {
  readonly title: string;
  /** Name of what it is about. */
  readonly on?: string | undefined;
  /** Without it, Escape keeps the dialog open. */
  readonly onClose?: (() => void) | undefined;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog; Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, on, onClose, children, class: name }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    // Once the screen is drawn: it may have lost the button that opened the dialog.
    return () => queueMicrotask(() => (opener?.isConnected ? opener : document.querySelector('h1'))?.focus());
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-labelledby={id}
      onCancel={(event) => onClose || event.preventDefault()}
      onClose={onClose ?? (() => dialog.current?.showModal())}
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
  readonly on?: string;
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

/** An action: a button, a dialog that says what will change, and the answer with the ID of its request. */
export function Act({ label, on, text, isDangerous, run, after, onClose, children }: Action) {
  const [isOpen, setOpen] = useState(false);
  const [result, setResult] = useState<{ done: Done; shown: ComponentChildren }>();
  const [isBusy, setBusy] = useState(false);
  const isRefused = useRef(false);
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
    isRefused.current = true;
    setBusy(true);
    const shown = await run(fields, options).finally(() => setBusy(false));
    isRefused.current = false;
    after?.();
    if (isValidElement(shown)) return setResult({ done, shown });
    notify(done);
    close();
  };
  // A dialog stays open until the outcome of its request is known.
  const leave = isBusy ? undefined : close;
  const open = () => setOpen(true);
  return (
    <>
      <button type="button" class={isDangerous ? 'danger' : undefined} aria-haspopup="dialog" onClick={open}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={label} on={on} onClose={leave}>
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
