import type { Role } from '#lib/contract/contract';
import { type Route, routes } from '#lib/routes';

/** Who makes a request: a column of the table. */
export interface Principal {
  readonly title: string;
  /** Whether its credential is accepted. */
  readonly isAuthenticated: boolean;
  readonly roles: readonly Role[];
  /** Whom it names where the request names an account: itself, another, or a name that nobody has. */
  readonly names: 'itself' | 'another' | 'nobody';
}

const authenticated = { isAuthenticated: true, roles: [], names: 'another' } as const;

/** Every kind of caller, whichever credential of the interface it presents. */
export const PRINCIPALS = {
  nobody: { ...authenticated, title: 'no credential', isAuthenticated: false },
  ended: { ...authenticated, title: 'locked, cancelled, or a session that ended', isAuthenticated: false },
  plain: { ...authenticated, title: 'an account' },
  robbed: { ...authenticated, title: 'an account that had the role' },
  owner: { ...authenticated, title: 'the account itself', names: 'itself' },
  sys_tokens: { ...authenticated, title: '`sys_tokens`', roles: ['sys_tokens'] },
  sys_administrator: { ...authenticated, title: '`sys_administrator`', roles: ['sys_administrator'] },
  misled: {
    ...authenticated,
    title: '`sys_administrator`, on nobody',
    roles: ['sys_administrator'],
    names: 'nobody',
  },
} as const satisfies Record<string, Principal>;

/** Whether a request of this route names an account, in its path or in its body. */
export const namesAccount = ({ path, contract: { access } }: Route): boolean =>
  path.includes('username}') || (typeof access === 'object' && access.orSelf === 'body');

/** The status of a request that is right but for who makes it, by the access of its contract alone. */
export function statusFor(
  route: Route,
  { isAuthenticated, roles, names }: Principal,
): 200 | 302 | 401 | 403 | 404 {
  const { access, aliases } = route.contract;
  if (aliases?.includes(route.path)) return 302;
  if (access === 'public') return 200;
  if (!isAuthenticated) return 401;
  if (access === 'authenticated') return 200;
  const isOwn = access.orSelf !== undefined && (names === 'itself' || !namesAccount(route));
  if (!isOwn && !roles.includes(access.role)) return 403;
  return names === 'nobody' && namesAccount(route) ? 404 : 200;
}

/** The table of all routes and principals: its head, and its rows. */
export const principalsTable = (): readonly [head: readonly string[], rows: readonly string[][]] => {
  const principals = Object.values<Principal>(PRINCIPALS);
  const rows = routes.map((route) => [
    `${route.method} \`${route.path}\``,
    ...principals.map((principal) => `${statusFor(route, principal)}`),
  ]);
  return [['Route', ...principals.map(({ title }) => title)], rows];
};
