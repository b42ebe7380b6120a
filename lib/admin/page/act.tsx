import { type ComponentChildren, isValidElement } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RequestOptions } from '../../client/index.ts';
import { type Fields, Form } from './form.tsx';
import { Answered, type Done, notify } from './notice.tsx';

interface DialogProps {
  readonly title: ComponentChildren;
  /** Without it, Escape keeps the dialog open. */
  readonly onClose?: () => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog; Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children, class: name }: DialogProps) {
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
      onClose={onClose ?? (() => dialog.current?.showModal())}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ActProps {
  /** Text of the button that opens the dialog. */
  readonly label: ComponentChildren;
  readonly title: ComponentChildren;
  /** Text of the button that sends the request; by default the label. */
  readonly confirm?: string;
  readonly isDangerous?: boolean;
  /** Sends the request with the options. An element that it answers is shown in the dialog, such as a secret. */
  readonly run: (fields: Fields, options: RequestOptions) => Promise<unknown>;
  /** Called after a success, to load the screen again. */
  readonly after?: () => void;
  /** Called when the dialog closes. */
  readonly onClose?: () => void;
  /** What will change, and the fields of the request. */
  readonly children?: ComponentChildren;
}

/** An action: a button, a dialog that says what will change, and the answer with the ID of its request. */
export function Act({ label, title, confirm, isDangerous, run, after, onClose, children }: ActProps) {
  const [isOpen, setOpen] = useState(false);
  const [result, setResult] = useState<{ done: Done; shown: ComponentChildren }>();
  const close = () => {
    setOpen(false);
    setResult(undefined);
    onClose?.();
  };
  const send = async (fields: Fields) => {
    const done = { message: '', requestId: '' };
    const shown = await run(fields, {
      onHeaders: (headers) => {
        done.requestId = headers.get('x-request-id') ?? '';
      },
      onMessage: (message) => {
        done.message = message;
      },
    });
    after?.();
    if (!isValidElement(shown)) {
      notify(done);
      return close();
    }
    setResult({ done, shown });
    // It may have been closed meanwhile.
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        class={isDangerous ? 'danger' : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
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
            <Form onSubmit={send} submit={confirm ?? `${label}`} isDangerous={isDangerous} onBack={close}>
              {children}
            </Form>
          )}
        </Dialog>
      )}
    </>
  );
}
