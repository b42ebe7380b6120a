import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Field } from '../form.tsx';
import { dateAgo } from '../time.tsx';

/** Local times by what people call them; tomorrow is called so also when it is a Monday. */
function times(): Readonly<Record<string, string>> {
  const at = (days: number) => `${dateAgo(-days)}T08:00`;
  const today = new Date().getDay();
  const toMonday = (8 - today) % 7 || 7;
  return {
    'Tomorrow 08:00': at(1),
    ...(toMonday > 1 && { [toMonday === 7 ? 'Next Monday 08:00' : 'Monday 08:00']: at(toMonday) }),
  };
}

/** The end of a lock, typed or chosen. */
export function Until() {
  const [value, setValue] = useState('');
  return (
    <Field
      label="Until"
      name="until"
      type="datetime-local"
      hint="Local time. Empty: until an administrator unlocks it"
      value={value}
      onInput={({ currentTarget }) => setValue(currentTarget.value)}
      below={
        <span class="row">
          {Object.entries(times()).map(([text, time]) => (
            <Button key={text} class="quiet" onClick={() => setValue(time)}>
              {text}
            </Button>
          ))}
        </span>
      }
    />
  );
}
