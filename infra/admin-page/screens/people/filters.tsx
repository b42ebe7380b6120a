import { useState } from 'preact/hooks';
import { memberships } from '#texts/memberships';
import { people } from '#texts/people';
import { states } from '#texts/states';
import { type Choice, Combobox } from '../../combobox.tsx';
import { Choices } from '../../filters.tsx';
import { Pending } from '../../listing.tsx';
import { useKnown } from '../../memberships.tsx';
import { MOST, matching } from '../../picker.tsx';
import type { State } from '../../place.ts';
import type { Filter } from '../../query.ts';

const t = people.filters;

export const FILTERS: readonly Filter[] = [
  { name: 'q', label: t.search, type: 'search', placeholder: t.searchHint },
];

export const MORE_FILTERS: readonly Filter[] = [
  { name: 'role', label: t.role, options: memberships.names },
  { name: 'team', label: t.team },
  { name: 'app', label: t.app },
  { name: 'inactive_since', label: t.inactiveSince, type: 'date', isPast: true, ago: [30, 90, 180] },
  { name: 'cancelled_since', label: t.cancelledSince, type: 'date', isPast: true },
  { name: 'never_used', label: t.use, options: { '': t.any, true: states.names.never_used, false: t.used } },
];

/** The states that the service lists together with `cancelled_since`. */
const MAY_BE_CANCELLED: readonly string[] = ['', 'locked', 'cancelled'];

/** The states as links, without numbers: the statistics count machines, too (`lib/stats/statistics.ts` says why). */
export const States = () => (
  <Choices
    label={t.states}
    name="state"
    of={{ '': t.all, ...states.names }}
    without={(value) => (MAY_BE_CANCELLED.includes(value) ? {} : { cancelled_since: undefined })}
  />
);

interface PickProps {
  readonly label: string;
  readonly name: string;
  readonly known: readonly Choice[];
  readonly onPick: (values: State) => void;
}

/** A filter by a name of a list; the list may lack names, so any text can be picked. */
function Pick({ label, name, known, onPick }: PickProps) {
  const [text, setText] = useState('');
  const typed = text.trim();
  const found = matching(known, typed);
  const isKnown = known.some(({ value }) => value === typed);
  const pick = (value: string) => {
    setText('');
    onPick({ [name]: value });
  };
  return (
    <Combobox
      label={label}
      name={name}
      value={text}
      onType={setText}
      choices={[
        ...found.slice(0, MOST),
        ...(typed && !isKnown ? [{ value: typed, text: `“${typed}”` }] : []),
      ]}
      onPick={pick}
      placeholder={t.search}
    />
  );
}

function Fields({ onPick }: Pick<PickProps, 'onPick'>) {
  const { query, known } = useKnown();
  return (
    <>
      <Pick label={t.role} name="role" known={known.roles} onPick={onPick} />
      <Pick label={t.team} name="team" known={known.teams} onPick={onPick} />
      <Pick label={t.app} name="app" known={known.apps} onPick={onPick} />
      <Pending {...query} isLoading={false} />
    </>
  );
}

/** Filters by names in use. */
export const PICKS = { names: ['role', 'team', 'app'], Fields };
