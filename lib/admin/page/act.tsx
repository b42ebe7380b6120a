import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog, returnTo } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';

export interface Action extends Pick<FormProps, 'on' | 'isDangerous' | 'children'> {
  /** Text of the button that opens the dialog, and of the one that sends the request. */
  readonly label: string;
  /** What will change. */
  readonly text?: string;
  /** Whether it is offered; by default it is. */
  readonly isDue?: boolean;
  readonly run: FormProps['onSubmit'];
  /** Called after a success, and when a refusal was read, to load the screen again. */
  readonly after?: (() => void) | undefined;
}

/** An action: a button, and a dialog that says what will change. */
export function Act({ label, text, run, after, children, ...rest }: Action) {
  const [isOpen, setOpen] = useState(false);
  const isSent = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => () => {
      // The button of a lock, for example, is gone once the account is locked.
      if (document.activeElement === button.current) returnTo(button.current);
    },
    [],
  );
  const close = () => {
    // Also after a refusal: perhaps somebody else changed it.
    if (isSent.current) after?.();
    setOpen(false);
  };
  const send: Action['run'] = async (fields, options) => {
    isSent.current = true;
    const result = await run(fields, options);
    close();
    return result;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={rest.isDangerous ? 'danger' : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && (
        <Dialog title={label} on={rest.on} onEscape={close}>
          <Form {...rest} submit={label} onSubmit={send} onBack={close}>
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
