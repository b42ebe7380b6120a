import type { Role } from '#lib/contract/contract';
import { type Route, routes } from '#lib/routes';

/** Kind of caller: a column of the table. */
export interface Principal {
  readonly title: string;
  /** Whether its credential is accepted. */
  readonly isAuthenticated: boolean;
  /** Whether it sends no credential at all. */
  readonly isAnonymous?: true;
  readonly roles: readonly Role[];
  /** Account that the request names, if it names one: its own, another one, or an unknown one. */
  readonly names: 'itself' | 'another' | 'nobody';
  /** Limit of its credential: `access: read`, or `roles` without the one that the account has. */
  readonly limit?: 'access' | 'roles';
}

/** By default an account without a role, on another account. */
const principal = (title: string, others: Partial<Principal> = {}): Principal => ({
  title,
  isAuthenticated: true,
  roles: [],
  names: 'another',
  ...others,
});
const administrator = { roles: ['sys_administrator'] } as const;

/** Every kind of caller, with any credential. */
export const PRINCIPALS = {
  nobody: principal('no credential', { isAuthenticated: false, isAnonymous: true }),
  ended: principal('locked, cancelled, expired, ended, or at another address', { isAuthenticated: false }),
  plain: principal('an account'),
  demoted: principal('an account that lost the role'),
  owner: principal('the account itself', { names: 'itself' }),
  sys_tokens: principal('`sys_tokens`', { roles: ['sys_tokens'] }),
  sys_introspection: principal('`sys_introspection`', { roles: ['sys_introspection'] }),
  sys_administrator: principal('`sys_administrator`', administrator),
  reader: principal('`sys_administrator`, read only', { ...administrator, limit: 'access' }),
  limited: principal('`sys_administrator`, without its role', { limit: 'roles' }),
  misled: principal('`sys_administrator`, for an unknown account', { ...administrator, names: 'nobody' }),
};

/** Whether a request of this route names an account, in its path or body. */
export const namesAccount = ({ path, contract: { access } }: Route): boolean =>
  path.includes('username}') || (typeof access === 'object' && access.orSelf === 'body');

/** The status of a valid request by a caller, from the access of the contract only. */
export function statusFor(
  route: Route,
  { isAuthenticated, isAnonymous, roles, names, limit }: Principal,
): 200 | 302 | 401 | 403 | 404 {
  const { access, aliases, id, unsafe } = route.contract;
  if (aliases?.includes(route.path)) return 302;
  if (access === 'public' || (access === 'optional' && isAnonymous)) return 200;
  if (!isAuthenticated) return 401;
  if (limit === 'access' && (route.method !== 'GET' || unsafe)) return 403;
  // A new password would outlive the limits; open sessions and passkeys of the account are wider.
  const exceeds =
    access === 'authenticated-or-code' || /^account\.(logout|end-session|passkey-(create|delete))$/.test(id);
  if (limit === 'roles' && exceeds) return 403;
  if (typeof access === 'string') return 200;
  const isOwn = access.orSelf !== undefined && (names === 'itself' || !namesAccount(route));
  if (!isOwn && !roles.includes(access.role)) return 403;
  return names === 'nobody' && namesAccount(route) ? 404 : 200;
}

/** The table of all routes and principals: head and rows. */
export function principalsTable() {
  const principals = Object.values(PRINCIPALS);
  const rows = routes.map((route) => [
    `${route.method} \`${route.path}\``,
    ...principals.map((principal) => `${statusFor(route, principal)}`),
  ]);
  return [['Route', ...principals.map(({ title }) => title)], rows] as const;
}
