import { FAILURES } from '#lib/failure/codes';
import { Entries, read } from '../accounts/entries.tsx';
import { labelOf, SENTENCES } from '../accounts/sentences.ts';
import { type Filter, useList } from '../query.ts';
import { PageTitle } from '../title.tsx';

const actions = Object.entries(SENTENCES)
  .map(([action, text]) => [action, labelOf(action, text)] as const)
  .sort(([, one], [, other]) => (one < other ? -1 : 1));

/** Failures of what the audit log is about: not of files that are public. */
const outcomes = Object.entries(FAILURES).flatMap(([code, { text }]) =>
  /^(docs|admin)/.test(code) ? [] : [[code, text]],
);

/** Actors without an account. */
const OTHERS = [
  { value: 'operator:support', text: 'An operator (support)' },
  { value: 'operator:administrator', text: 'An operator (administrator)' },
  { value: 'secrets-manager', text: 'The service' },
];

const FILTERS: readonly Filter[] = [
  { name: 'actor', label: 'Done by', placeholder: 'Anyone', people: OTHERS },
  { name: 'target', label: 'Done to', placeholder: 'Anyone', people: [] },
  { name: 'action', label: 'Action', options: { '': 'Any', ...Object.fromEntries(actions) } },
  {
    name: 'outcome',
    label: 'Outcome',
    options: { '': 'Any', ok: 'Done', started: 'Begun by an operator', ...Object.fromEntries(outcomes) },
  },
];

const MORE_FILTERS: readonly Filter[] = [
  { name: 'since', label: 'Since', type: 'datetime-local', hint: 'Enter date and time' },
  { name: 'until', label: 'Until', type: 'datetime-local', hint: 'Enter date and time' },
];

/** What people, operators and the service have done. */
export function Activity() {
  const list = useList(read, { filters: FILTERS, more: MORE_FILTERS });
  return (
    <>
      <PageTitle title="Activity" />
      <Entries
        list={list}
        caption="Activity"
        heading="h2"
        file={{ name: 'activity' }}
        empty="Nothing matches. Remove a filter. What was just done appears within a minute."
      />
    </>
  );
}
