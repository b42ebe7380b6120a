import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { listing as t } from '#texts/listing';
import { Button } from './button.tsx';
import { Chip } from './chip.tsx';
import { Field } from './form.tsx';
import { number } from './locale.ts';
import { go, hrefTo, type State, usePlace } from './place.ts';
import type { Filter, ListOptions } from './query.ts';
import { People } from './search.tsx';
import { asSaid, dateAgo } from './time.tsx';

/** Wait after the last keystroke, in milliseconds. */
const TYPING_MS = 250;

interface ChoicesProps {
  readonly label: string;
  /** The parameter in the URL. */
  readonly name: string;
  /** Texts by the values of the parameter; the empty one removes it. */
  readonly of: Readonly<Record<string, string>>;
  /** Numbers of the items that each value leaves, if they are known. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Parameters that a value does not go with. */
  readonly without?: (value: string) => State;
}

/** The values of a filter as links. */
export function Choices({ label, name, of, counts = {}, without }: ChoicesProps) {
  const { screen, state } = usePlace();
  return (
    <nav class="row states" aria-label={label}>
      {Object.entries(of).map(([value, text]) => {
        const to = {
          ...state,
          [name]: value,
          cursor: undefined,
          'cursor-first': undefined,
          ...without?.(value),
        };
        const isHere = (state[name] ?? '') === value;
        return (
          <a key={value} href={hrefTo(screen, to)} aria-current={isHere ? 'true' : undefined}>
            {text} {counts[value] !== undefined && <span class="faint">{number(counts[value])}</span>}
          </a>
        );
      })}
    </nav>
  );
}

interface FiltersProps extends Pick<ListOptions, 'filters' | 'more' | 'Picks'> {
  readonly at?: string;
  readonly children?: ComponentChildren;
}

/** Filters of a listing, in the URL by their names; a chip for each of those that are used less removes it. */
export function Filters({ filters = [], more = [], Picks, at = 'cursor', children }: FiltersProps) {
  const { screen, state } = usePlace();
  // Values that the URL lacks until the timer fires.
  const [typed, setTyped] = useState<State>();
  // A date that is not applied, since it is later than today.
  const [late, setLate] = useState<State>();
  const [isOpen, setOpen] = useState(false);
  const apply = (values: State) => {
    setLate(undefined);
    setTyped(undefined);
    go(hrefTo(screen, { ...state, ...typed, ...values, [at]: undefined, [`${at}-first`]: undefined }), true);
  };
  // Clears the timer before the next keystroke: a late timer would discard that keystroke.
  useLayoutEffect(() => {
    if (!typed) return;
    const timer = setTimeout(apply, TYPING_MS, typed);
    return () => clearTimeout(timer);
  }, [typed, location.hash]);
  const values = { ...state, ...typed, ...late };
  const used = more.filter(({ name }) => state[name]);
  const follow = ({ currentTarget: { name, value, max } }: { currentTarget: HTMLInputElement }) => {
    const isLate = max !== '' && value > max;
    setLate(isLate ? { [name]: value } : undefined);
    if (!isLate) setTyped((last) => ({ ...last, [name]: value }));
  };
  const listOf = (filters: readonly Filter[]) =>
    filters.map(({ people, kind, isPast, ago, ...field }) =>
      people ? (
        <People
          key={field.name}
          {...field}
          kind={kind}
          others={people}
          value={state[field.name]}
          onPick={(value) => apply({ [field.name]: value })}
        />
      ) : (
        <Field
          key={field.name}
          {...field}
          {...(isPast && { max: dateAgo() })}
          value={values[field.name] ?? ''}
          onInput={follow}
          hint={late?.[field.name] ? t.tooLate : field.hint}
          below={
            ago && (
              <span class="row ago">
                {ago.map((days) => (
                  <Button
                    key={days}
                    class="quiet"
                    aria-label={t.nDaysAgo(days)}
                    onClick={() => apply({ [field.name]: dateAgo(days) })}
                  >
                    {days}
                  </Button>
                ))}
                <span class="faint">{t.daysAgo}</span>
              </span>
            )
          }
        />
      ),
    );
  if (filters.length === 0) return null;
  const typing = more.filter(({ name }) => !Picks?.names.includes(name));
  return (
    <form class="filters" aria-label={t.filters} onSubmit={(event) => event.preventDefault()}>
      {children}
      {listOf(filters)}
      {more.length > 0 && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t.moreFilters}</summary>
          {isOpen && (
            <div class="grid">
              {Picks && <Picks.Fields onPick={apply} />}
              {listOf(typing)}
            </div>
          )}
        </details>
      )}
      {used.length > 0 && (
        <div class="row used">
          {used.map(({ name, label, options, type }) => {
            const value = `${state[name]}`;
            const text = `${label}: ${options?.[value] ?? (type ? asSaid(value) : value)}`;
            return <Chip key={name} of={text} onRemove={() => apply({ [name]: undefined })} />;
          })}
        </div>
      )}
    </form>
  );
}
