import { type ComponentChildren, isValidElement } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';
import { usePlace } from './place.ts';

export interface Action
  extends Pick<FormProps, 'on' | 'heading' | 'isDangerous' | 'children' | 'done' | 'undo'> {
  /** Text of the button that opens the dialog, and of the one that sends the request. */
  readonly label: string;
  /** Heading of the dialog, as a question that names what it changes: “Lock Emma Müller?”; by default the label. */
  readonly title?: ComponentChildren;
  /** Description of the change. */
  readonly text?: string | undefined;
  /** Whether the page offers the action; true by default. */
  readonly isDue?: boolean;
  /** Whether it is the main action of its screen. */
  readonly isMain?: boolean;
  readonly run: FormProps['onSubmit'];
  /** Called after a success, and when a refusal was read, to load the screen again. */
  readonly after?: (() => void) | undefined;
}

/** What a text with elements in it says, to tell one from another. */
function plain(text: ComponentChildren): string {
  if (Array.isArray(text)) return text.map(plain).join('');
  if (!isValidElement(text)) return `${text ?? ''}`;
  const { children, ...rest } = text.props as { children?: ComponentChildren };
  return Object.values(rest).join(' ') + plain(children);
}

/** The dialog of an action, which describes the change and sends it. */
export function ActDialog({
  label,
  title,
  text,
  run,
  undo,
  after,
  children,
  isDue: _,
  isMain: __,
  onClose,
  ...rest
}: Action & { readonly onClose: () => void }) {
  const isSent = useRef(false);
  const { screen, state } = usePlace();
  const draft = [screen, state['username'], label, rest.on, plain(title)].join('\n');
  const close = () => {
    onClose();
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
  const back: Action['undo'] = (fields, result) => {
    const undoing = undo?.(fields, result);
    return undoing && { ...undoing, run: (options) => undoing.run(options).finally(after) };
  };
  return (
    <Dialog title={title ?? label} isQuestion={title !== undefined} on={rest.on} onEscape={close}>
      <Form {...rest} draft={draft} submit={label} onSubmit={send} undo={back} onBack={close}>
        {text && <p>{text}</p>}
        {children}
      </Form>
    </Dialog>
  );
}

/** An action: a button, and its dialog. */
export function Act(action: Action) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        class={action.isDangerous ? 'danger' : action.isMain ? 'primary' : undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {action.label}
      </Button>
      {isOpen && <ActDialog {...action} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The buttons of some actions on the same thing. */
export const Acts = ({ of, ...rest }: Pick<Action, 'on' | 'after'> & { of: readonly Action[] }) => (
  <span class="row">
    {of.map((action) => action.isDue !== false && <Act key={action.label} {...rest} {...action} />)}
  </span>
);
