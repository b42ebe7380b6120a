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
  return <Field {...field} value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />;
}

const listOf = (fields: readonly FieldProps[]) =>
  fields.map((field) => <Filter key={field.name} {...field} />);

/** Filters of the listing of a screen, in the URL by their names. */
export function Filters({ of, more }: { of: readonly FieldProps[]; more?: readonly FieldProps[] }) {
  const { state } = usePlace();
  const used = more?.filter(({ name }) => state[name]).length ?? 0;
  return (
    <form class="grid" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {listOf(of)}
      {more && (
        <details open={used > 0}>
          <summary>More filters{used > 0 && ` (${used})`}</summary>
          <div class="grid">{listOf(more)}</div>
        </details>
      )}
    </form>
  );
}
