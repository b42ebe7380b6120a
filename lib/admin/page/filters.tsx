import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field, type FieldProps } from './form.tsx';
import { change, usePlace } from './place.ts';

/** Wait after the last keystroke, in milliseconds. */
const TYPING_MS = 250;

/** A filter that follows what is typed, and the URL when Back changes it. */
function Filter(field: FieldProps) {
  const { name } = field;
  const value = usePlace().state[name] ?? '';
  const [typed, setTyped] = useState(value);
  const [isPartial, setPartial] = useState(false);
  const sent = useRef(value);
  // Before another timer: what is typed meanwhile would be lost.
  useLayoutEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (typed.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed.trim();
      change({ [name]: sent.current, cursor: undefined }, true);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const follow = ({ currentTarget: { value, validity } }: { currentTarget: HTMLInputElement }) => {
    setTyped(value);
    setPartial(validity.badInput);
  };
  const hint = isPartial && 'Not applied: enter the whole date and time.';
  // The value of a part of a time is empty, and no event reports it.
  return <Field {...field} value={typed} onInput={follow} onBlur={follow} hint={hint} />;
}

/** Filters of a listing, in the URL by their names. */
export function Filters({
  filters = [],
  more = [],
}: Partial<Record<'filters' | 'more', readonly FieldProps[]>>) {
  const { state } = usePlace();
  const used = more.filter(({ name }) => state[name]).length;
  const listOf = (fields: readonly FieldProps[]) =>
    fields.map((field) => <Filter key={field.name} {...field} />);
  if (filters.length === 0) return null;
  return (
    <form class="grid" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {listOf(filters)}
      {more.length > 0 && (
        <details open={used > 0}>
          <summary>More filters{used > 0 && ` (${used})`}</summary>
          <div class="grid">{listOf(more)}</div>
        </details>
      )}
    </form>
  );
}
