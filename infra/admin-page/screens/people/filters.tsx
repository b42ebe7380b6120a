import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { Account } from '#lib/client/index';
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

/** The filters that the listing depends on beside the search. */
export const NAMES = ['q', 'state', ...MORE_FILTERS.map(({ name }) => name)];

/** The states as links, with the numbers that the statistics have. */
export const States = ({ counts }: Pick<ComponentProps<typeof Choices>, 'counts'>) => (
  <Choices
    label="States"
    name="state"
    of={STATES}
    counts={counts}
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

/** The number of accounts on all pages, if the statistics have it: for no filter, and for one by a lock. */
export function totalOf(state: State, { count, locked }: { count?: number; locked?: number } = {}) {
  const given = NAMES.filter((name) => state[name]);
  if (given.length === 0) return count;
  return given.length === 1 && state['state'] === 'locked' ? locked : undefined;
}

/** Some names, and the number of the others. */
export const few = (names: Account['role_names'] = []) => (
  <span title={names.join(', ')}>
    {names.slice(0, 2).map((name, index) => [index > 0 && ', ', <bdi key={name}>{name}</bdi>])}
    {names.length > 2 && <span class="faint"> +{names.length - 2}</span>}
  </span>
);
