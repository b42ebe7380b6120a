import type { ComponentChildren } from 'preact';
import type { Account } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { Avatar } from '../avatar.tsx';
import { hrefTo } from '../place.ts';
import { Time } from '../time.tsx';

interface UsernameProps extends Pick<Account, 'username'> {
  /** Replaces the username. */
  readonly children?: ComponentChildren;
}

/** A username, or what people say in the place of one that was erased. */
export const nameFor = (username: string) => (isPseudonym(username) ? 'an erased person' : username);

/** A link to an account, unless it was erased. */
export const Username = ({ username, children }: UsernameProps) =>
  isPseudonym(username) ? (
    <span title={username}>{nameFor(username)}</span>
  ) : (
    <a href={hrefTo('account', { username })}>{children ?? <bdi>{username}</bdi>}</a>
  );

/** Avatar, name and username, as a link to the account. */
export const Who = (account: Account) => {
  const { username, user_first_name, user_last_name } = account;
  const name = `${user_first_name} ${user_last_name}`.trim();
  return (
    <a class="person" href={hrefTo('account', { username })} title={username}>
      <Avatar of={account} />
      <span>
        <bdi>{name || username}</bdi> {name && <bdi class="faint">{username}</bdi>}
      </span>
    </a>
  );
};

/** A text that a row cuts; opening it shows the whole. */
const Cut = ({ of }: { readonly of: string }) => (
  <details class="cut">
    <summary>
      <bdi>{of}</bdi>
    </summary>
  </details>
);

/** The states of an account; it can be locked and cancelled. */
export const State = ({ isactive, islocked, lockoutending, lock_reason, cancelled_at }: Account) => (
  <div class="row">
    {isactive && !islocked && <span class="badge good">Active</span>}
    {islocked && <span class="badge bad">Locked</span>}
    {islocked && !lockoutending?.startsWith('9999') && (
      <span>
        ends <Time of={lockoutending} />
      </span>
    )}
    {lock_reason && <Cut of={lock_reason} />}
    {!isactive && <span class="badge faint">Cancelled</span>}
    {!isactive && <Time of={cancelled_at} />}
  </div>
);

/** When an account was last used. */
export const LastActive = ({ lastActivity, created_at }: Account) => (
  <Time of={`${lastActivity}Z` === created_at ? null : lastActivity} />
);
