import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { forms as t } from '#texts/forms';
import { Button } from './button.tsx';
import { draftOf, Field, type FieldProps, Form, type FormProps } from './form.tsx';
import { Icon } from './icon.tsx';
import { usePlace } from './place.ts';

interface EditInPlaceProps extends FieldProps, Pick<FormProps, 'done' | 'undo'> {
  readonly value: string;
  /** Sends the change; the field has the name of its property. */
  readonly run: FormProps['onSubmit'];
}

/** A value with a button that replaces it by its field, which is open while it has a draft; Back and Escape keep the value. */
export function EditInPlace({ value, run, done, undo, ...field }: EditInPlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  const { screen, state } = usePlace();
  const draft = [screen, state['username'], field.name].join('\n');
  /** The value when the field was opened. */
  const [begun, setBegun] = useState(() => (field.name in draftOf(draft) ? value : undefined));
  const isPressed = useRef(false);
  const isOpen = begun !== undefined;
  const open = () => {
    isPressed.current = true;
    setBegun(value);
  };
  const close = () => setBegun(undefined);
  useLayoutEffect(() => {
    // No one looks for a draft in what is folded.
    if (isOpen) place.current?.closest('details')?.setAttribute('open', '');
  }, []);
  useLayoutEffect(() => {
    // What else has the focus by now keeps it.
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      place.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    close();
  };
  const shown = field.options?.[value] ?? value;
  const send: typeof run = async (fields, options) => {
    const result = await run(fields, options);
    close();
    return result;
  };
  const saved = isOpen && value !== begun && t.saved(<bdi>{shown}</bdi>);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its field and its buttons have the roles
    <div class="edit" ref={place} onKeyDown={press}>
      {isOpen ? (
        <Form draft={draft} submit={t.save} onSubmit={send} onBack={close} done={done} undo={undo}>
          <Field {...field} hint={saved || field.hint} defaultValue={value} autofocus={isPressed.current} />
        </Form>
      ) : (
        <>
          {shown ? <bdi>{shown}</bdi> : <span class="faint">{t.none}</span>}
          <Button class="quiet icon" aria-label={t.edit(field.label)} onClick={open}>
            <Icon of="edit" />
          </Button>
        </>
      )}
    </div>
  );
}
