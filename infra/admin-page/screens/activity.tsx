import { activity as t } from '#texts/activity';
import { reasons } from '#texts/reasons';
import { sentences } from '#texts/sentences';
import { Entries, read } from '../accounts/entries.tsx';
import { Chip } from '../chip.tsx';
import { compare } from '../locale.ts';
import { go, hrefTo, usePlace } from '../place.ts';
import { type Filter, useList } from '../query.ts';
import { PageTitle } from '../title.tsx';

const actions = Object.entries(sentences.actions)
  .map(([action, { label }]) => [action, label] as const)
  .sort(([, one], [, other]) => compare(one, other));

/** Failures of what the audit log is about: not of files that are public. */
const outcomes = Object.entries(reasons)
  .filter(([code]) => !/^(docs|admin)/.test(code))
  .sort(([, one], [, other]) => compare(one, other));

/** Actors without an account. */
const OTHERS = [
  { value: 'operator:support', text: t.support },
  { value: 'operator:administrator', text: t.administrator },
  { value: 'secrets-manager', text: t.service },
];

const FILTERS: readonly Filter[] = [
  { name: 'actor', label: t.doneBy, placeholder: t.anyone, people: OTHERS },
  { name: 'target', label: t.doneTo, placeholder: t.anyone, people: [] },
  { name: 'action', label: t.action, options: { '': t.any, ...Object.fromEntries(actions) } },
  {
    name: 'outcome',
    label: t.outcome,
    options: { '': t.any, ok: t.isDone, started: t.isBegun, ...Object.fromEntries(outcomes) },
  },
];

const MORE_FILTERS: readonly Filter[] = [
  { name: 'since', label: t.since, type: 'datetime-local', hint: t.enterTime },
  { name: 'until', label: t.until, type: 'datetime-local', hint: t.enterTime },
];

/** What people, operators and the service have done. */
export function Activity() {
  const { screen, state } = usePlace();
  const { batch } = state;
  const list = useList(read, { filters: FILTERS, more: MORE_FILTERS, names: ['batch'] });
  const showAll = () => go(hrefTo(screen, { ...state, batch: undefined, cursor: undefined }));
  return (
    <>
      <PageTitle title={t.title} />
      {batch && (
        <p class="row">
          <Chip of={t.oneOperation} onRemove={showAll} />
        </p>
      )}
      <Entries
        list={list}
        caption={t.title}
        heading="h2"
        file={{ name: 'activity' }}
        empty={t.empty}
        hasOperations={!batch}
      />
    </>
  );
}
