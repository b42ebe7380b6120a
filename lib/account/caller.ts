import type { Access, Role } from '../contract/contract.ts';
import { Failure } from '../failure.ts';
import type { Account } from '../item/account.ts';
import { accountKey } from '../table/keys.ts';
import type { Guard } from '../table/table.ts';
import { MAY_AUTHENTICATE, mayAuthenticate, sameUsername } from './account.ts';

/** The account that makes a request, as read for this request. */
export type Caller = Account;

/** A refusal that names the missing role, which is no secret. */
const lacks = (role: Role) =>
  new Failure('forbidden', { errors: [{ field: 'role', message: `Requires ${role}` }] });

/**
 * Decides an endpoint's access for a caller.
 *
 * @param target the `username` in the path or the body, if any
 * @returns the role that permits the request; undefined if it needs none
 * @throws Failure `forbidden`
 */
export function authorize(access: Access, caller: Caller, target: string | undefined): Role | undefined {
  if (typeof access === 'string') return undefined;
  const { role, orSelf } = access;
  if (orSelf && (target === undefined || sameUsername(target, caller.username))) return undefined;
  if (!caller.roles.includes(role)) throw lacks(role);
  return role;
}

/**
 * Condition added to every write of a request: it fails if the caller was locked, cancelled or lost the role after
 * authentication.
 *
 * @param role the role that permits the request, if it needs one
 */
export const stillPermitted = ({ username }: Caller, role: Role | undefined): Guard => ({
  Key: accountKey(username),
  ConditionExpression: `${MAY_AUTHENTICATE.condition}${role ? ' AND contains(#roles, :role)' : ''}`,
  ExpressionAttributeNames: role && { '#roles': 'roles' },
  ExpressionAttributeValues: { ...MAY_AUTHENTICATE.values, ...(role ? { ':role': role } : {}) },
  otherwise: (item) => {
    const caller = item as Account | undefined;
    if (!caller || !mayAuthenticate(caller)) return 'unauthenticated';
    return role && !caller.roles.includes(role) ? lacks(role) : undefined;
  },
});
