import type { Account } from '../account/account.ts';
import { sameUsername } from '../account/account.ts';
import { Failure } from '../failure.ts';
import type { Access, Role } from '../http/contract.ts';

/** Who makes a request, as read for this very request. */
export type Caller = Account;

/** @throws Failure `forbidden` unless the caller holds the role */
function requireRole(caller: Caller, role: Role): void {
  if (!caller.roles.includes(role)) throw new Failure('forbidden');
}

/** @throws Failure `forbidden` unless the target is absent or the caller, or the caller holds the role */
export function requireSelfOr(role: Role, caller: Caller, target: string | undefined): void {
  if (target !== undefined && !sameUsername(target, caller.username)) requireRole(caller, role);
}

/** Decides an endpoint's access for a caller; `target` is its path parameter `username`. */
export function authorize(access: Access, caller: Caller, target: string | undefined): void {
  if (typeof access === 'string') return;
  if ('orSelf' in access) requireSelfOr(access.role, caller, target);
  else requireRole(caller, access.role);
}
