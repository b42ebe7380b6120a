import { useState } from 'preact/hooks';
import { finder } from '#lib/text/search-forms';
import { search as t } from '#texts/search';
import { Chip } from './chip.tsx';
import { type Choice, Combobox, UNPICKED } from './combobox.tsx';
import { type FieldProps, useDraft } from './form.tsx';

interface PickerProps extends Pick<FieldProps, 'label' | 'name' | 'hint' | 'placeholder'> {
  /** Names in use, with a sentence each where there is one. */
  readonly known: readonly Choice[];
  /** Names that are picked at first. */
  readonly now?: readonly string[];
  /** What a name that is not known creates, such as “role”; by default only known ones can be picked. */
  readonly creates?: string;
  readonly onChange?: (names: readonly string[]) => void;
}

/** The most entries in a list; a text narrows it. */
export const MOST = 50;

/** The choices whose name, text or sentence has the words of a text, as the service searches for people. */
export function matching(choices: readonly Choice[], text: string): readonly Choice[] {
  const finds = finder(text);
  const said = (part: Choice['note']) => (typeof part === 'string' ? part : '');
  return choices.filter(({ value, text: shown, note }) => finds(`${value} ${said(shown)} ${said(note)}`));
}

/** Names that are picked from those in use, or new ones; a form gets them as one text with spaces between them. */
export function Picker({ known, now = [], creates, onChange, ...rest }: PickerProps) {
  const draft = useDraft(rest.name);
  const [names, setNames] = useState(draft?.split(' ').filter(Boolean) ?? now);
  const [text, setText] = useState('');
  const change = (next: readonly string[]) => {
    setNames(next);
    setText('');
    onChange?.(next);
  };
  const typed = text.trim();
  const isKnown = (name: string) => known.some(({ value }) => value === name);
  const called = (name: string) => known.find(({ value }) => value === name)?.text ?? name;
  const others = known.filter(({ value }) => !names.includes(value));
  const choices = matching(others, typed).slice(0, MOST);
  const isNew = creates && typed && !/\s/.test(typed) && !isKnown(typed) && !names.includes(typed);
  const creating = {
    value: typed,
    text: t.create(`${creates}`, typed),
    note: t.checkSpelling,
  };
  return (
    <>
      <Combobox
        {...rest}
        value={text}
        onType={setText}
        choices={isNew ? [...choices, creating] : choices}
        onPick={(name) => change([...names, name])}
        empty={typed ? t.noMatch(rest.label, typed) : undefined}
        {...UNPICKED}
        above={
          names.length > 0 && (
            <div class="row chips">
              {names.map((name) => (
                <Chip key={name} of={name} onRemove={() => change(names.filter((each) => each !== name))}>
                  {creates && !isKnown(name) && !now.includes(name) ? t.isNew(name, creates) : called(name)}
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
