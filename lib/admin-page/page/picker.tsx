import { useState } from 'preact/hooks';
import { Chip } from './chip.tsx';
import { type Choice, Combobox, UNPICKED } from './combobox.tsx';
import type { FieldProps } from './form.tsx';

interface PickerProps extends Pick<FieldProps, 'label' | 'name' | 'hint' | 'placeholder'> {
  /** Names in use, with a sentence each where there is one. */
  readonly known: readonly Choice[];
  /** Names that are picked at first. */
  readonly now?: readonly string[];
  /** What a name that is not known creates, such as “role”; by default only known ones can be picked. */
  readonly creates?: string;
  readonly onChange?: (names: readonly string[]) => void;
}

const isLike = (name: string, text: string) => name.toLowerCase().includes(text.toLowerCase());

/** Names that are picked from those in use, or new ones; a form gets them as one text with spaces between them. */
export function Picker({ known, now = [], creates, onChange, ...rest }: PickerProps) {
  const [names, setNames] = useState(now);
  const [text, setText] = useState('');
  const change = (next: readonly string[]) => {
    setNames(next);
    setText('');
    onChange?.(next);
  };
  const typed = text.trim();
  const isKnown = (name: string) => known.some(({ value }) => value === name);
  const choices = known.filter(({ value }) => !names.includes(value) && isLike(value, typed));
  const isNew = creates && typed && !/\s/.test(typed) && !isKnown(typed) && !names.includes(typed);
  const creating = { value: typed, text: `Create the ${creates} “${typed}”`, note: 'No account has it yet.' };
  return (
    <>
      <Combobox
        {...rest}
        value={text}
        onType={setText}
        choices={isNew ? [...choices, creating] : choices}
        onPick={(name) => change([...names, name])}
        empty={typed ? `No ${rest.label.toLowerCase()} match “${typed}”.` : undefined}
        {...UNPICKED}
        above={
          names.length > 0 && (
            <div class="row chips">
              {names.map((name) => (
                <Chip key={name} of={name} onRemove={() => change(names.filter((each) => each !== name))}>
                  {creates && !isKnown(name) && !now.includes(name) ? `${name} (new ${creates})` : name}
                </Chip>
              ))}
            </div>
          )
        }
      />
      {/* After the field of the same name: it is the one that counts. */}
      <input type="hidden" name={rest.name} value={names.join(' ')} />
    </>
  );
}
