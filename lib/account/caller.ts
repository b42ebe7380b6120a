import type { Access } from '../contract/contract.ts';
import { Failure } from '../failure.ts';
import type { Account } from '../item/account.ts';
import { sameUsername } from './account.ts';

/** Who makes a request, as read for this very request. */
export type Caller = Account;

/**
 * Decides an endpoint's access for a caller.
 *
 * @param target the `username` that the path or the body names, if any
 * @throws Failure `forbidden`
 */
export function authorize(access: Access, caller: Caller, target: string | undefined): void {
  if (typeof access === 'string') return;
  const { role, orSelf } = access;
  if (orSelf && (target === undefined || sameUsername(target, caller.username))) return;
  if (!caller.roles.includes(role)) throw new Failure('forbidden');
}
