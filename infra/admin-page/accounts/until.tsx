import { useState } from 'preact/hooks';
import { changes as t } from '#texts/changes';
import { Field, useDraft } from '../form.tsx';
import { dateAgo } from '../time.tsx';

const CLOCK = '08:00';

/** Local times by what people call them; tomorrow is called so also when it is a Monday. */
function times(): Readonly<Record<string, string>> {
  const at = (days: number) => `${dateAgo(-days)}T${CLOCK}`;
  const today = new Date().getDay();
  const toMonday = (8 - today) % 7 || 7;
  return {
    [at(1)]: t.tomorrow(CLOCK),
    ...(toMonday > 1 && { [at(toMonday)]: t.monday(CLOCK, toMonday === 7) }),
  };
}

const OTHER = 'other';

/** The end of a lock, chosen or typed. */
export function Until() {
  const options = { '': t.untilUnlocked, ...times(), [OTHER]: t.otherTime };
  const draft = useDraft('end') ?? '';
  const [end, setEnd] = useState(Object.hasOwn(options, draft) ? draft : '');
  return (
    <>
      <Field
        label={t.until}
        name="end"
        value={end}
        onInput={({ currentTarget }) => setEnd(currentTarget.value)}
        options={options}
      />
      {end === OTHER ? (
        <Field label={t.time} name="until" type="datetime-local" required />
      ) : (
        <input type="hidden" name="until" value={end} />
      )}
    </>
  );
}
