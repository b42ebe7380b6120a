import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Field, type FieldProps, Form, type FormProps } from './form.tsx';
import { Icon } from './icon.tsx';

interface EditInPlaceProps extends FieldProps, Pick<FormProps, 'done' | 'undo'> {
  readonly value: string;
  /** Sends the change; the field has the name of its property. */
  readonly run: FormProps['onSubmit'];
}

/** A value with a button that replaces it by its field; Back keeps the value. */
export function EditInPlace({ value, run, done, undo, ...field }: EditInPlaceProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!isOpen)
    return (
      <span class="edit">
        {value ? <bdi>{value}</bdi> : <span class="faint">none</span>}
        <Button class="quiet icon" aria-label={`Edit ${field.label}`} onClick={() => setOpen(true)}>
          <Icon of="edit" />
        </Button>
      </span>
    );
  const send: typeof run = async (fields, options) => {
    const result = await run(fields, options);
    close();
    return result;
  };
  return (
    <Form submit="Save" onSubmit={send} onBack={close} done={done} undo={undo}>
      <Field {...field} defaultValue={value} autofocus />
    </Form>
  );
}
