import type { ComponentChildren } from 'preact';
import type { Account } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { states as t } from '#texts/states';
import { Avatar } from '../avatar.tsx';
import { hrefTo } from '../place.ts';
import { Time } from '../time.tsx';
import { nameOf } from './person.tsx';
import { isLocked, isUnused, type StateName, stateOf } from './state.ts';

interface UsernameProps extends Pick<Account, 'username'> {
  /** Replaces the username. */
  readonly children?: ComponentChildren;
}

/** A username, or what people say in the place of one that was erased. */
export const nameFor = (username: string) => (isPseudonym(username) ? t.erased : username);

/** A link to an account, unless it was erased. */
export const Username = ({ username, children }: UsernameProps) =>
  isPseudonym(username) ? (
    <span title={username}>{nameFor(username)}</span>
  ) : (
    <a href={hrefTo('account', { username })}>{children ?? <bdi>{username}</bdi>}</a>
  );

/** Avatar, name and username, as a link to the account. */
export const Who = (account: Account) => {
  const { username } = account;
  const name = nameOf(account);
  return (
    <a class="person" href={hrefTo('account', { username })} title={username}>
      <Avatar of={account} />
      <span>
        <bdi>{name || username}</bdi> {name && <bdi class="faint">{username}</bdi>}
      </span>
    </a>
  );
};

/** How people call the owner of an account, with the username on hover. */
export const Called = (account: Account) => (
  <bdi title={account.username}>{nameOf(account) || account.username}</bdi>
);

/** A text that a row cuts; opening it shows the whole. */
const Cut = ({ of }: { readonly of: string }) => (
  <details class="cut">
    <summary>
      <bdi>{of}</bdi>
    </summary>
  </details>
);

const BADGES: Readonly<Record<StateName, string>> = {
  active: 'good',
  invited: '',
  code_expired: 'warn',
  never_used: '',
  locked: 'bad',
  cancelled: 'faint',
};

/** The name of a state. */
export const Badge = ({ of }: { readonly of: StateName }) => (
  <span class={`badge ${BADGES[of]}`}>{t.names[of]}</span>
);

/** The state of an account, with its time; a cancelled account can be locked, too. */
export function State(account: Account) {
  const { lockoutending, lock_reason, cancelled_at, code_expires_at } = account;
  const state = stateOf(account);
  const locked = isLocked(account);
  return (
    <div class="row">
      {locked && <Badge of="locked" />}
      {locked && !lockoutending?.startsWith('9999') && <span>{t.ends(<Time of={lockoutending} />)}</span>}
      {locked && lock_reason && <Cut of={lock_reason} />}
      {state !== 'locked' && <Badge of={state} />}
      {state === 'invited' && code_expires_at && <span>{t.ends(<Time of={code_expires_at} />)}</span>}
      {state === 'code_expired' && <Time of={code_expires_at} />}
      {state === 'cancelled' && <Time of={cancelled_at} />}
    </div>
  );
}

/** When an account was last used. */
export const LastActive = (account: Account) => <Time of={isUnused(account) ? null : account.lastActivity} />;
