import type { Access, Role } from '../contract/contract.ts';
import { Failure, forbidden } from '../failure/failure.ts';
import { type Account, barOf } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import type { Guard } from '../table/table.ts';
import type { Clock } from '../time.ts';
import { asRead, sameUsername } from './account.ts';

/** The account that makes a request, as read for this request. */
export type Caller = Account;

/** The roles of a caller that count for a credential: all, or those that its limits name. */
export const rolesOf = ({ roles }: Caller, limits: CredentialLimits | undefined): readonly string[] =>
  limits?.roles ? roles.filter((role) => limits.roles?.includes(role)) : roles;

/** A refusal that names the missing role, which is no secret. */
const lacks = (role: Role) => forbidden('role', `Requires ${role}`);

/**
 * Decides an endpoint's access for a caller.
 *
 * @param limits of the credential: only its roles count
 * @param target the `username` in the path or the body, if any
 * @returns the role that permits the request; undefined if it needs none
 * @throws Failure `forbidden`
 */
export function authorize(
  access: Access,
  caller: Caller,
  limits: CredentialLimits | undefined,
  target: string | undefined,
): Role | undefined {
  if (typeof access === 'string') return undefined;
  const { role, orSelf } = access;
  if (orSelf && (target === undefined || sameUsername(target, caller.username))) return undefined;
  if (!rolesOf(caller, limits).includes(role)) throw lacks(role);
  return role;
}

/**
 * Condition added to every write of a request: it fails if the caller was locked, cancelled or lost the role after
 * authentication. After any other transition of the caller, the request may be repeated. The end of a lock needs no
 * condition: it only permits more.
 *
 * @param role the role that permits the request, if it needs one
 */
export const stillPermitted = (read: Caller, role: Role | undefined, now: Clock): Guard => ({
  Key: accountKey(read.username),
  ...expecting(asRead(read)),
  otherwise: (item) => {
    const caller = item as Account | undefined;
    const cause = barOf(caller, now());
    if (cause) return new Failure('unauthenticated', { cause });
    if (role && !caller?.roles.includes(role)) return lacks(role);
    return caller?.transitions === read.transitions
      ? undefined
      : new Failure('unavailable', { retryAfter: 1 });
  },
});
