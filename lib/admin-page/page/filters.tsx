import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field } from './form.tsx';
import { go, hrefTo, type State, usePlace } from './place.ts';
import type { Filter, ListOptions } from './query.ts';
import { People } from './search.tsx';

/** Wait after the last keystroke, in milliseconds. */
const TYPING_MS = 250;

/** Filters of a listing, in the URL by their names. */
export function Filters({ filters = [], more = [] }: Pick<ListOptions, 'filters' | 'more'>) {
  const { screen, state } = usePlace();
  // Values that the URL lacks until the timer fires.
  const [typed, setTyped] = useState<State>();
  // Clears the timer before the next keystroke: a late timer would discard that keystroke.
  useLayoutEffect(() => {
    if (!typed) return;
    const timer = setTimeout(() => {
      setTyped(undefined);
      go(hrefTo(screen, { ...state, ...typed, cursor: undefined }), true);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, location.hash]);
  const values = { ...state, ...typed };
  const used = more.filter(({ name }) => state[name]).length;
  // Stays open after the last filter is emptied, since another value may follow.
  const isOpen = useRef(false);
  isOpen.current ||= used > 0;
  const follow = ({ currentTarget: { name, value } }: { currentTarget: HTMLInputElement }) =>
    setTyped((last) => ({ ...last, [name]: value }));
  const pick = (name: string) => (value?: string) =>
    go(hrefTo(screen, { ...state, ...typed, [name]: value, cursor: undefined }));
  const listOf = (filters: readonly Filter[]) =>
    filters.map(({ people, ...field }) =>
      people ? (
        <People
          key={field.name}
          {...field}
          others={people}
          value={state[field.name]}
          onPick={pick(field.name)}
        />
      ) : (
        <Field key={field.name} {...field} value={values[field.name] ?? ''} onInput={follow} />
      ),
    );
  if (filters.length === 0) return null;
  return (
    <form class="grid" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {listOf(filters)}
      {more.length > 0 && (
        <details open={isOpen.current}>
          <summary>More filters{used > 0 && ` (${used})`}</summary>
          <div class="grid">{listOf(more)}</div>
        </details>
      )}
    </form>
  );
}
