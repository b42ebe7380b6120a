import { PATIENT } from '../../async/retry.ts';
import type { Account } from '../../item/account.ts';
import type { AccountChange, Announcement, Announcing } from '../../outbox/announcement.ts';
import { commitWithEvents } from '../../outbox/commit.ts';
import { endingCodes } from '../../table/ending-codes.ts';
import { assign } from '../../table/expressions.ts';
import { accountKey } from '../../table/keys.ts';
import type { TransactWrite } from '../../table/write.ts';
import { asRead } from '../account.ts';
import { changeAccount } from '../change-account.ts';

/** A change of an account's state: its condition, the new attributes, and the other writes of the transaction. */
export interface Transition {
  /** Whether the account is in the state that the change ends; otherwise nothing changes. */
  readonly isDue: (account: Account) => boolean;
  /** New attributes; undefined removes an attribute. */
  readonly to: Omit<{ readonly [K in keyof Account]?: Account[K] | undefined }, 'transitions'>;
  /** Other writes of the transaction, for the account as it was. */
  readonly others?: (account: Account) => readonly TransactWrite[] | Promise<readonly TransactWrite[]>;
  /** Whether the one-time codes that the account has made end. */
  readonly endsCodes?: true;
  readonly announcement: Announcement<Account>;
  /** More that the transaction changes in the account. */
  readonly also?: AccountChange | undefined;
}

export interface Transitioned {
  readonly before: Account;
  readonly account: Account;
  readonly changed: boolean;
}

/** Attributes that must be as they were read: the state, and everything that the event reports. */
const expected = (account: Account, { to, announcement, also }: Transition) => ({
  ...asRead(account),
  // A temporary lockout is no transition.
  ...('lockoutend' in to ? { lockoutend: account.lockoutend } : {}),
  // A revocation of all tokens is none either.
  ...('token_generation' in to ? { token_generation: account.token_generation } : {}),
  ...announcement.expected(account),
  ...also?.expected,
});

/**
 * Changes the state of an account exactly once, even if many requests arrive at the same time, and counts the change.
 * It retries long enough to succeed while others write to the account all the time: no one can keep an administrator
 * from locking it.
 *
 * @param target the account as it was read
 * @param changeOf the change, or a function that creates it for the account as it was
 * @throws Failure `account_not_found` if the account is erased meanwhile
 */
export const transition = (
  runtime: Announcing,
  target: Account,
  changeOf: Transition | ((before: Account) => Transition),
): Promise<Transitioned> =>
  changeAccount<Transitioned>(
    target,
    async (before) => {
      const change = typeof changeOf === 'function' ? changeOf(before) : changeOf;
      if (!change.isDue(before)) return { before, account: before, changed: false };
      const to = { ...change.to, ...change.also?.to, transitions: (before.transitions ?? 0) + 1 };
      const account = { ...before, ...to } as Account;
      const counted = { ...change.announcement.counted(before), ...change.also?.counted };
      const update = assign({ ...to, ...counted }, expected(before, change));
      const writes = [
        {
          Update: {
            Key: accountKey(before.username),
            ...(change.endsCodes ? endingCodes(update, runtime) : update),
          },
        },
        ...((await change.others?.(before)) ?? []),
      ];
      const events = [...change.announcement.events(account), ...(change.also?.events(account) ?? [])];
      const failed = await commitWithEvents(runtime, writes, events, PATIENT);
      return failed ?? { before, account: { ...account, ...counted }, changed: true };
    },
    PATIENT.attempts,
  );
