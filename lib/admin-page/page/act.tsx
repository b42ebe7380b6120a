import { useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';

export interface Action extends Pick<FormProps, 'on' | 'isDangerous' | 'children'> {
  /** Text of the button that opens the dialog, and of the one that sends the request. */
  readonly label: string;
  /** Description of the change. */
  readonly text?: string;
  /** Whether the page offers the action; true by default. */
  readonly isDue?: boolean;
  readonly run: FormProps['onSubmit'];
  /** Called after a success, and when a refusal was read, to load the screen again. */
  readonly after?: (() => void) | undefined;
}

/** An action: a button, and a dialog that describes the change. */
export function Act({ label, text, run, after, children, ...rest }: Action) {
  const [isOpen, setOpen] = useState(false);
  const isSent = useRef(false);
  const close = () => {
    setOpen(false);
    // Also after a refusal, since another person may have made a change.
    if (isSent.current) after?.();
    isSent.current = false;
  };
  const send: Action['run'] = async (fields, options) => {
    isSent.current = true;
    const result = await run(fields, options);
    // After an abort this dialog is gone: an open one is another.
    if (options.signal?.aborted) after?.();
    else close();
    return result;
  };
  return (
    <>
      <Button
        class={rest.isDangerous ? 'danger' : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
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
