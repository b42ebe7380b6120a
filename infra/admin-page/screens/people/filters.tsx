import { useState } from 'preact/hooks';
import { type Choice, Combobox } from '../../combobox.tsx';
import { Choices } from '../../filters.tsx';
import { Pending } from '../../listing.tsx';
import { useKnown } from '../../memberships.tsx';
import { MOST, matching } from '../../picker.tsx';
import type { State } from '../../place.ts';
import type { Filter } from '../../query.ts';

export const FILTERS: readonly Filter[] = [
  { name: 'q', label: 'Search', type: 'search', placeholder: 'Name or username' },
];

export const MORE_FILTERS: readonly Filter[] = [
  { name: 'role', label: 'Role' },
  { name: 'team', label: 'Team' },
  { name: 'app', label: 'Application' },
  { name: 'inactive_since', label: 'Inactive since', type: 'date', isPast: true, ago: [30, 90, 180] },
  { name: 'cancelled_since', label: 'Cancelled since', type: 'date', isPast: true },
  { name: 'never_used', label: 'Use', options: { '': 'Any', true: 'Never used', false: 'Used' } },
];

const STATES = { '': 'All', active: 'Active', locked: 'Locked', cancelled: 'Cancelled' };

/** The states as links, without numbers: the statistics count machines, too (`lib/stats/statistics.ts` says why). */
export const States = () => (
  <Choices
    label="States"
    name="state"
    of={STATES}
    // The service refuses the two together.
    without={(value) => (value === 'active' ? { cancelled_since: undefined } : {})}
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
      placeholder="Search"
    />
  );
}

function Fields({ onPick }: Pick<PickProps, 'onPick'>) {
  const { query, known } = useKnown();
  return (
    <>
      <Pick label="Role" name="role" known={known.roles} onPick={onPick} />
      <Pick label="Team" name="team" known={known.teams} onPick={onPick} />
      <Pick label="Application" name="app" known={known.apps} onPick={onPick} />
      <Pending {...query} isLoading={false} />
    </>
  );
}

/** Filters by names in use. */
export const PICKS = { names: ['role', 'team', 'app'], Fields };
