import { number } from '../../locale.ts';
import { type Said, said } from '../../said.ts';

const people = (n: number) => `${number(n)} ${n === 1 ? 'person' : 'people'}`;

/** Changes of several people at once. */
export const bulk = {
  people,
  isOwn: 'is your own account: it is refused',
  willChange: 'What will change',
  due: (due: number, all: number) =>
    `${number(due)} of ${people(all)} will change. The others stay as they are.`,
  cancelHint: 'The number of accounts that will be cancelled.',
  machines: (n: number) =>
    `${people(n)} ${n === 1 ? 'answers' : 'answer'} for machines. These work on, and need another owner:`,
  done: 'What was done',
  outcomes: {
    changed: 'changed',
    same: 'not changed',
    failed: 'failed',
    undone: 'changed back',
    kept: 'not changed',
  },
  report: (did: Said, others: string) => said`${did}${others && ` (${others})`}.`,
  nothing: 'Nothing changed',
  failed: (n: number) => `It failed for ${people(n)}, who ${n === 1 ? 'is' : 'are'} still selected.`,
  undone: (n: number) => `Taken back for ${people(n)}.`,
  notUndone: (n: number) => `It could not be taken back for ${people(n)}.`,
  undo: (n: number) => `Undo for ${people(n)}`,
  later: 'You can also undo this later, in Activity.',
  undoing: 'Some changes are not yet taken back. That continues when you close this.',
  codes: {
    label: 'New codes',
    ask: (whom: Said) => said`Create new one-time codes for ${whom}?`,
    effect:
      'With a code, a person sets a password and logs in. A new code replaces an earlier one. Only people without a password get one, and those whose code has ended.',
    will: 'gets a new code',
    hasPassword: 'has a password',
    isCancelled: 'is cancelled',
    isLocked: 'is locked: unlock it first',
    nobody: 'Nobody who is selected needs a code.',
    did: (n: number) => `You created codes for ${people(n)}.`,
    skipped: (n: number) => `${people(n)} got none:`,
    list: 'New codes',
    without: 'People without a new code',
    until: (time: Said) => said`until ${time}`,
  },
};
