import type { ComponentChildren } from 'preact';
import { MAX_REASON } from '#lib/account/maxima';
import type { Account, RequestOptions } from '#lib/client/index';
import type { Action } from '../act.tsx';
import { Field, type Fields } from '../form.tsx';
import type { Undo } from '../notice.tsx';
import { client } from '../session.ts';
import { instant } from '../time.tsx';
import { Until } from './until.tsx';

/** A change of one account or of several at once. */
export interface Change extends Pick<Action, 'label' | 'isDangerous'> {
  /** What happens to an account. */
  readonly will: string;
  /** What that means, as sentences. */
  readonly effect?: string;
  /** Reason why an account does not change; false if it does. */
  readonly needless: (account: Account, held: readonly string[], role: string) => string | false;
  readonly run: (username: string, fields: Fields, options: RequestOptions) => Promise<{ changed: boolean }>;
  /** What takes it back on an account as it was before. */
  readonly undo?: (before: Account, fields: Fields) => Undo<{ changed: boolean }>;
  /** Whether the service refuses it for one's own account. */
  readonly isForOthers?: boolean;
  /** Whether the change needs a role. */
  readonly isOfRole?: boolean;
  readonly fields?: ComponentChildren;
}

/** Gives an account the lock that it had, unless that has ended by now. */
function restoreLock({ username, islocked, lock_reason, lockoutending }: Account, options: RequestOptions) {
  const until = lockoutending ?? '';
  const isOver = !islocked || Date.parse(until) <= Date.now();
  return isOver
    ? client.account.unlock({ username }, options)
    : client.account.lock({ username, until, ...(lock_reason && { reason: lock_reason }) }, options);
}

/** Answer to an unlock. */
export const Unlocked = ({ username, isactive, kind }: Account) => (
  <>
    <bdi>{username}</bdi>{' '}
    {isactive
      ? kind === 'machine'
        ? 'is unlocked and can sign in again; API tokens work.'
        : 'is unlocked and can log in again; API tokens work. Without a password, create a one-time code.'
      : 'is unlocked, and still cancelled.'}
  </>
);

const LOCK: Change = {
  label: 'Lock',
  will: 'will be locked',
  effect:
    'No password and no token works. All sessions and an open one-time code end. An earlier lock is replaced.',
  needless: () => false,
  run: (username, { reason, until }, options) =>
    client.account.lock(
      { username, ...(reason && { reason }), ...(until && { until: instant(until) }) },
      options,
    ),
  undo: (before) => ({
    label: before.islocked ? 'Undo' : 'Unlock',
    run: (options) => restoreLock(before, options),
    done: before.islocked ? (
      <>
        The earlier lock of <bdi>{before.username}</bdi> is back.
      </>
    ) : (
      <Unlocked {...before} />
    ),
  }),
  isDangerous: true,
  isForOthers: true,
  fields: (
    <>
      <Field label="Reason" name="reason" maxLength={MAX_REASON} hint="Optional; administrators see it." />
      <Until />
    </>
  ),
};

const UNLOCK: Change = {
  label: 'Unlock',
  will: 'will be unlocked',
  effect: 'Logins and API tokens are accepted again. Sessions and one-time codes stay ended.',
  needless: ({ islocked }) => !islocked && 'is not locked',
  run: (username, _fields, options) => client.account.unlock({ username }, options),
  undo: (before) => ({
    label: 'Lock again',
    run: (options) => restoreLock(before, options),
    done: (
      <>
        <bdi>{before.username}</bdi> is locked again.
      </>
    ),
  }),
};

const CANCEL: Change = {
  label: 'Cancel account',
  will: 'will be cancelled',
  effect:
    'No password and no token works. All sessions and an open one-time code end, and applications may delete the data.',
  needless: ({ isactive }) => !isactive && 'is cancelled already',
  run: (username, _fields, options) => client.account.cancel({ username }, options),
  isDangerous: true,
  isForOthers: true,
};

const OPPOSITE = { add: 'remove', remove: 'add' } as const;

/** Adds or removes one role of an account. */
async function changeRole(kind: 'add' | 'remove', username: string, role: string, options: RequestOptions) {
  const answer = await client.account.access({ username, [kind]: { roles: [role] } }, options);
  return { changed: answer.roles_added.length + answer.roles_removed.length > 0 };
}

const ofRole = (kind: 'add' | 'remove', rest: Pick<Change, 'label' | 'will'>, needless: string): Change => ({
  ...rest,
  needless: (_account, held, role) => held.includes(role) === (kind === 'add') && needless,
  run: (username, { role = '' }, options) => changeRole(kind, username, role, options),
  undo: ({ username }, { role = '' }) => ({
    label: 'Undo',
    run: (options) => changeRole(OPPOSITE[kind], username, role, options),
  }),
  isOfRole: true,
});

export const CHANGES = {
  LOCK,
  UNLOCK,
  CANCEL,
  ADD_ROLE: ofRole('add', { label: 'Add a role', will: 'gets the role' }, 'has it already'),
  REMOVE_ROLE: ofRole('remove', { label: 'Remove a role', will: 'loses the role' }, 'does not have it'),
};
