import { COLUMNS, keyOf, read } from '../accounts/entries.tsx';
import type { FieldProps } from '../form.tsx';
import { ListScreen } from '../listing.tsx';

const FILTERS: readonly FieldProps[] = [
  { name: 'actor', label: 'Actor', hint: 'Whole username' },
  { name: 'target', label: 'Target', hint: 'Whole username' },
  { name: 'action', label: 'Action', placeholder: 'account.lock' },
  { name: 'outcome', label: 'Outcome', placeholder: 'ok' },
  { name: 'since', label: 'Since', type: 'datetime-local', hint: 'Enter date and time' },
  { name: 'until', label: 'Until', type: 'datetime-local', hint: 'Enter date and time' },
];

export const Activity = () => (
  <ListScreen
    read={read}
    filters={FILTERS}
    file={{ name: 'audit.csv' }}
    caption="Audit"
    title="Activity"
    keyOf={keyOf}
    empty="No entry matches. Filters match whole values, and a new entry appears within a minute."
    columns={COLUMNS}
  />
);
