import type { ComponentChildren } from 'preact';
import { MAX_REASON } from '#lib/account/maxima';
import type { Account, RequestOptions } from '#lib/client/index';
import { changes as t } from '#texts/changes';
import type { Action } from '../act.tsx';
import { Field, type Fields } from '../form.tsx';
import type { Undo } from '../notice.tsx';
import type { Said } from '../said.ts';
import { client } from '../session.ts';
import { instant } from '../time.tsx';
import { Until } from './until.tsx';
import { Called } from './who.tsx';

/** A change of one account or of several at once. */
export interface Change extends Pick<Action, 'label' | 'isDangerous'> {
  /** The question whether it is to happen, as the heading of a dialog. */
  readonly ask: (whom: Said, number?: number) => Said;
  /** What happens to an account. */
  readonly will: string;
  /** What that means, as sentences. */
  readonly effect?: string;
  /** What was done, as a sentence without its end. */
  readonly did: (whom: Said, number: number, role: Said) => Said;
  /** Why a number of accounts did not change. */
  readonly had: (number: number) => string;
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
export const Unlocked = (account: Account) => {
  const { isactive, kind } = account;
  const told = kind === 'machine' ? t.unlockedMachine : t.unlockedPerson;
  return <>{(isactive ? told : t.unlockedCancelled)(<Called {...account} />)}</>;
};

const LOCK: Change = {
  ...t.lock,
  needless: () => false,
  run: (username, { reason, until }, options) =>
    client.account.lock(
      { username, ...(reason && { reason }), ...(until && { until: instant(until) }) },
      options,
    ),
  undo: (before) => ({
    label: before.islocked ? t.undo : t.unlock.label,
    run: (options) => restoreLock(before, options),
    done: before.islocked ? t.isBack(<Called {...before} />) : <Unlocked {...before} />,
  }),
  isDangerous: true,
  isForOthers: true,
  fields: (
    <>
      <Field label={t.reason} name="reason" maxLength={MAX_REASON} hint={t.reasonHint} />
      <Until />
    </>
  ),
};

const UNLOCK: Change = {
  ...t.unlock,
  needless: ({ islocked }) => !islocked && t.unlock.needless,
  run: (username, _fields, options) => client.account.unlock({ username }, options),
  undo: (before) => ({
    label: t.lockAgain,
    run: (options) => restoreLock(before, options),
    done: t.isLocked(<Called {...before} />),
  }),
};

const CANCEL: Change = {
  ...t.cancel,
  needless: ({ isactive }) => !isactive && t.cancel.needless,
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

const ofRole = (kind: 'add' | 'remove', texts: typeof t.addRole): Change => ({
  ...texts,
  needless: (_account, held, role) => held.includes(role) === (kind === 'add') && texts.needless,
  run: (username, { role = '' }, options) => changeRole(kind, username, role, options),
  undo: ({ username }, { role = '' }) => ({
    label: t.undo,
    run: (options) => changeRole(OPPOSITE[kind], username, role, options),
  }),
  isOfRole: true,
});

export const CHANGES = {
  LOCK,
  UNLOCK,
  CANCEL,
  ADD_ROLE: ofRole('add', t.addRole),
  REMOVE_ROLE: ofRole('remove', t.removeRole),
};
