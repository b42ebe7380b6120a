import type { Account } from '#lib/client/index';
import { Chip } from '../chip.tsx';
import { Time, When } from '../time.tsx';

interface Named {
  readonly username: string;
  readonly user_first_name?: string | null | undefined;
  readonly user_last_name?: string | null | undefined;
}

/** The real name of a person; empty if the account has none. */
export const nameOf = ({ user_first_name, user_last_name }: Named) =>
  `${user_first_name ?? ''} ${user_last_name ?? ''}`.trim();

/** Names as chips. */
export const Chips = ({ of }: { readonly of: readonly string[] }) =>
  of.length > 0 ? (
    <span class="row">
      {of.map((name) => (
        <Chip key={name} of={name} />
      ))}
    </span>
  ) : (
    <span class="faint">none</span>
  );

const Locked = ({ lockoutending, lock_reason }: Account) => (
  <div>
    <span class="badge bad">Locked</span>{' '}
    {lockoutending?.startsWith('9999')
      ? 'until someone unlocks it'
      : lockoutending && ['until ', <When key="until" of={lockoutending} />]}
    {lock_reason && ': '}
    {lock_reason && <bdi>{lock_reason}</bdi>}
  </div>
);

const Cancelled = ({ cancelled_at, cancelled_by }: Account) => (
  <div>
    <span class="badge faint">Cancelled</span> <Time of={cancelled_at} />
    {cancelled_by && ' by '}
    {cancelled_by && <bdi>{cancelled_by}</bdi>}
  </div>
);

/** The states of an account as sentences; it can be locked and cancelled. */
export const Standing = (account: Account) => (
  <>
    {account.isactive && !account.islocked && <span class="badge good">Active</span>}
    {account.islocked && <Locked {...account} />}
    {!account.isactive && <Cancelled {...account} />}
  </>
);

/** Some names, and the number of the others. */
export const few = (names: Account['role_names'] = []) => (
  <span title={names.join(', ')}>
    {names.slice(0, 2).map((name, index) => [index > 0 && ', ', <bdi key={name}>{name}</bdi>])}
    {names.length > 2 && <span class="faint"> +{names.length - 2}</span>}
  </span>
);
