import { ALL_TOKENS, DIRECTORY } from '#lib/table/keys';
import { DAY_MS } from '#lib/time';
import type { Subject } from '../../cost/subjects.ts';
import type { Place } from './place.ts';
import { secretOf, usernameOf } from './population.ts';

/** A request of one endpoint, whatever account it is about. */
export interface Step {
  readonly name: string;
  /** Of its contract. */
  readonly id: string;
  /** Makes it for the nth account, which has an API token. */
  readonly subject: (place: Place, n: number) => Subject | Promise<Subject>;
  /** A listing goes through more, the larger the directory is: of how many accounts its time is told as one. */
  readonly of?: (accounts: number, items: number) => number;
  /** Whether the picture shows it: the other listings are alike. */
  readonly isShown?: boolean;
}

/** Steps in this order leave an account as they have found it. */
export type Round = readonly Step[];

const step = (name: string, id: string, subject: Step['subject'], of?: Step['of']): Step => ({
  name,
  id,
  subject,
  ...(of ? { of } : {}),
});

/** By the administrator; `{user}` in the path is the account. */
const byAdministrator = (name: string, id: string, method: string, path: string, of?: Step['of']) =>
  step(
    name,
    id,
    ({ jwt }, n) => ({ method, path: `/api/core/${path.replace('{user}', usernameOf(n))}`, jwt }),
    of,
  );

/** By a session of the account itself. */
const byItself = (name: string, id: string, method: string, path: string, json?: unknown) =>
  step(name, id, async ({ session }, n) => ({
    method,
    path: `/api/core/${path}`,
    json,
    jwt: await session(n),
  }));

/** The endpoints whose requests are to cost the same, however many accounts there are. */
export const CONSTANT: readonly Round[] = [
  [byItself('ping, session', 'system.ping', 'GET', 'system/ping')],
  [
    step('ping, API token', 'system.ping', (_, n) => ({
      method: 'GET',
      path: '/api/core/system/ping',
      token: secretOf(n),
    })),
  ],
  [
    step('login with an API token', 'account.login', (_, n) => ({
      method: 'POST',
      path: '/api/core/account/login',
      json: { username: 'api', password: secretOf(n) },
    })),
  ],
  [byItself('logout', 'account.logout', 'GET', 'account/logout')],
  [byItself('own profile', 'account.profile', 'GET', 'account/profile')],
  [
    byAdministrator(
      'roles, teams and apps of another',
      'account.profile',
      'GET',
      'account/profile/{user}?pscope=teams,roles,apps',
    ),
  ],
  [byAdministrator('profile of another', 'account.profile', 'GET', 'account/profile/{user}')],
  [
    byItself('own profile-update', 'account.profile-update', 'POST', 'account/profile-update', {
      user_short: 'AL',
    }),
  ],
  [byItself('own context', 'account.context', 'POST', 'account/context/core')],
  [byAdministrator('context of another', 'account.context', 'POST', 'account/context/core/{user}')],
  [
    // The one behind it has the same team, and no part in other requests: so it is as it was from the second copy on.
    step('copy of roles and teams', 'account.copy', ({ jwt }, n) => ({
      method: 'POST',
      path: `/api/core/account/copy/${usernameOf(n)}/${usernameOf(n + 1)}`,
      jwt,
    })),
  ],
  [
    byAdministrator('lock', 'account.lock', 'POST', 'account/lock/{user}'),
    byAdministrator('unlock', 'account.unlock', 'POST', 'account/unlock/{user}'),
  ],
  [
    byAdministrator('cancel', 'account.cancel', 'POST', 'account/cancel/{user}'),
    byAdministrator('reactivate', 'account.reactivate', 'POST', 'account/reactivate/{user}'),
  ],
  [byItself('list of the own tokens', 'token.list-own', 'GET', 'token/user')],
  [byAdministrator('tokens of another', 'token.list-user', 'GET', 'token/user/{user}')],
  [
    byAdministrator('token create', 'token.create', 'POST', 'token/create/more/{user}'),
    byAdministrator('token delete', 'token.delete', 'POST', 'token/delete/more/{user}'),
  ],
];

/** About what a page of a filter looks at. */
const EXAMINED = 10_000;

const fromTheMiddle = (name: string, id: string, path: string, listing: string, position: string) =>
  step(name, id, async ({ jwt, cursor }) => ({
    method: 'GET',
    path: `/api/core/${path}?limit=100&cursor=${await cursor(listing, position)}`,
    jwt,
  }));

const MIDDLE = 'grace.';
const browse = (name: string, query: string, of?: Step['of']) =>
  byAdministrator(name, 'account.browse', 'GET', `account/browse${query}`, of);

const shown = (listing: Step): Step => ({ ...listing, isShown: true });

/** The listings. */
export const LISTINGS: readonly Round[] = [
  [shown(browse('accounts, 100', '?limit=100'))],
  [
    shown(
      fromTheMiddle(
        'accounts, 100 from the middle',
        'account.browse',
        'account/browse',
        DIRECTORY.name,
        MIDDLE,
      ),
    ),
  ],
  [shown(browse('accounts, a full page; of each', '', (_, items) => items))],
  [
    browse('accounts of a team; of each looked at', '?team=team-3', (accounts) =>
      Math.min(accounts, EXAMINED),
    ),
  ],
  [
    browse(
      'accounts cancelled within a year, 100 at most',
      `?limit=100&cancelled_since=${new Date(Date.now() - 365 * DAY_MS).toISOString()}`,
    ),
  ],
  [byAdministrator('tokens, 100', 'token.browse', 'GET', 'token/browse?limit=100')],
  [fromTheMiddle('tokens, 100 from the middle', 'token.browse', 'token/browse', ALL_TOKENS.name, MIDDLE)],
  [
    byAdministrator(
      'tokens, a full page; of each',
      'token.browse',
      'GET',
      'token/browse',
      (_, items) => items,
    ),
  ],
];
