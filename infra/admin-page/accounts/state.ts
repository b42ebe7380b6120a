import type { Account } from '#lib/client/index';
import type { states } from '#texts/states';

/** A state of an account; the service filters by the same names. */
export type StateName = keyof typeof states.names;

/** A time of an account in milliseconds; without a zone it is in UTC. */
const instantOf = (time: string) => Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`);

/** Whether an account was never used. */
export const isUnused = ({ lastActivity, created_at }: Account) =>
  instantOf(lastActivity) === instantOf(created_at);

/** Whether a lock applies: a list that was loaded earlier may show one that has ended. */
export const isLocked = ({ islocked, lockoutending }: Account, now = Date.now()) =>
  islocked && !(lockoutending && instantOf(lockoutending) <= now);

/** The state of a code that has not been used; undefined without one. */
function codeState({ code_expires_at: end }: Account, now: number): StateName | undefined {
  if (!end) return undefined;
  return instantOf(end) > now ? 'invited' : 'code_expired';
}

/**
 * The state of an account: what keeps its owner out comes first. A cancelled account may be locked, too.
 *
 * @param now in milliseconds since the epoch
 */
export function stateOf(account: Account, now = Date.now()): StateName {
  if (!account.isactive) return 'cancelled';
  if (isLocked(account, now)) return 'locked';
  const invitation = account.password_set ? undefined : codeState(account, now);
  return invitation ?? (isUnused(account) ? 'never_used' : 'active');
}
