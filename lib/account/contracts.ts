import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ACTIVITY, CHANGE_OF_ACCOUNT, PUBLISHING } from '../contract/needs.ts';
import { instant, page, pageQuery } from '../contract/paging.ts';
import { sameUsername } from './account.ts';
import { filterQuery } from './directory/filter.ts';
import { directoryItemSchema } from './directory/item.ts';
import { roleOrAppName, username } from './identifiers.ts';
import { profileSchema, profileUpdateSchema, pscope, userSchema } from './profile/schema.ts';

export const login = {
  id: 'account.login',
  summary: 'Log in',
  method: 'POST',
  path: '/api/core/account/login',
  access: 'public',
  needs: [
    'table:GetItem:ACCOUNT',
    'table:GetItem:TOKEN',
    'table:GetItem:ATTEMPTS',
    'table:BatchGetItem:ACCOUNT',
    'table:BatchGetItem:PASSWORD',
    'table:BatchGetItem:ATTEMPTS',
    'table:BatchGetItem:STATS',
    'table:PutItem:ATTEMPTS',
    'table:PutItem:PASSWORD',
    // Removes a hash from where earlier versions stored it.
    'table:DeleteItem:ACCOUNT',
    'table:GetItem:SLICE',
    'transaction:UpdateItem:ACCOUNT',
    'transaction:UpdateItem:SLICE',
    'table:UpdateItem:STATS',
    ACTIVITY,
    'table:Query:KEYS',
    'table:UpdateItem:KEYS',
    'signing-key:read',
  ],
  title: 'Login',
  // A retry creates a second session; the client never received the first.
  repeatable: true,
  failures: ['invalid_credentials', 'too_many_requests'],
  // bcrypt at cost 12 takes 200 ms of a full CPU: this rate keeps at most about ten of them busy.
  memory: 1769,
  throttle: { rate: 50, burst: 100 },
  // The maximum number of logins in progress during a burst.
  reserved: 100,
  body: () =>
    z.strictObject({
      username: z.string(),
      password: z.string(),
      createCookie: z.optional(z.boolean()),
    }),
  response: () =>
    z.strictObject({
      JWTtoken: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.int(),
      expires_at: z.string(),
      username: z.string(),
    }),
} as const satisfies Contract;

export const logout = {
  id: 'account.logout',
  summary: 'Log out everywhere',
  method: 'GET',
  path: '/api/core/account/logout',
  access: 'authenticated',
  unsafe: true,
  // The new stamp is an attribute that authentication may already name.
  needs: [],
  title: 'Logout',
  response: () => z.strictObject({ username: z.string() }),
} as const satisfies Contract;

export const browse = {
  id: 'account.browse',
  summary: 'List accounts',
  method: 'GET',
  path: '/api/core/account/browse',
  access: { role: 'sys_administrator' },
  needs: [
    'index:GSI1:ACCOUNTS',
    'table:Query:STATS',
    'table:BatchGetItem:SLICE',
    'table:Query:CANCELLED',
    'table:GetItem:ACCOUNT',
    'table:BatchGetItem:ACCOUNT',
    'table:GetItem:KEYS',
  ],
  title: 'Account List',
  compress: true,
  memory: 1769,
  // A page is up to 5 MB, at 128 read units each MB.
  throttle: { rate: 10, burst: 20 },
  query: () =>
    z.extend(pageQuery(), { ...filterQuery().shape, cancelled_since: z.optional(instant()) }).check(
      z.refine(({ state, cancelled_since }) => state !== 'active' || cancelled_since === undefined, {
        error: 'Cannot be active with cancelled_since',
        path: ['state'],
      }),
    ),
  response: () =>
    z.strictObject({
      items: z.array(directoryItemSchema()),
      stats: z.strictObject({
        count: z.int(),
        locked: z.int(),
        last_week: z.int(),
        today: z.int(),
        as_of: z.string(),
      }),
      ...page(),
    }),
} as const satisfies Contract;

export const copy = {
  id: 'account.copy',
  summary: 'Copy roles and teams',
  method: 'POST',
  path: '/api/core/account/copy/{source_username}/{target_username}',
  access: { role: 'sys_administrator' },
  accounts: ['source_username', 'target_username'],
  needs: [CHANGE_OF_ACCOUNT],
  title: 'Account Copied',
  failures: ['account_cancelled', 'role_limit', 'team_limit'],
  params: () =>
    z.object({ source_username: username(), target_username: username() }).check(
      z.refine((names) => !sameUsername(names.source_username, names.target_username), {
        error: 'Must be another account than the source',
        path: ['target_username'],
      }),
    ),
  response: () =>
    z.strictObject({
      source: z.string(),
      target: z.string(),
      roles_added: z.array(z.string()),
      teams_added: z.array(z.uuid()),
    }),
} as const satisfies Contract;

export const profile = {
  id: 'account.profile',
  summary: 'Read a profile',
  method: 'GET',
  path: '/api/core/account/profile/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: ['table:GetItem:ACCOUNT'],
  title: 'Profile',
  params: () => z.object({ username: z.optional(username()) }),
  query: () => z.strictObject({ pscope: z.optional(pscope()) }),
  requestHeaders: () => z.object({ 'if-none-match': z.optional(z.string()) }),
  response: profileSchema,
} as const satisfies Contract;

export const profileUpdate = {
  id: 'account.profile-update',
  summary: 'Update a profile',
  method: 'POST',
  path: '/api/core/account/profile-update',
  access: { role: 'sys_administrator', orSelf: 'body' },
  needs: [
    'table:GetItem:ACCOUNT',
    'table:UpdateItem:ACCOUNT',
    'transaction:PutItem:ACCOUNT',
    CHANGE_OF_ACCOUNT,
  ],
  title: 'Profile Updated',
  failures: ['account_not_found', 'precondition_failed', 'team_not_member'],
  requestHeaders: () => z.object({ 'if-match': z.optional(z.string()) }),
  body: profileUpdateSchema,
  response: () => z.strictObject({ user: userSchema() }),
} as const satisfies Contract;

export const context = {
  id: 'account.context',
  summary: 'Switch the application context',
  method: 'POST',
  path: '/api/core/account/context/{app_name}/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: ['table:UpdateItem:ACCOUNT', CHANGE_OF_ACCOUNT],
  title: 'Application Context',
  failures: ['account_cancelled', 'app_not_found'],
  params: () => z.object({ app_name: roleOrAppName(), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), user_app_name: z.string() }),
} as const satisfies Contract;

const target = () => z.object({ username: username() });
const changedItem = () => z.extend(directoryItemSchema(), { changed: z.boolean() });

export const lock = {
  id: 'account.lock',
  summary: 'Lock an account',
  method: 'POST',
  path: '/api/core/account/lock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [CHANGE_OF_ACCOUNT, 'transaction:UpdateItem:STATS', 'transaction:UpdateItem:SLICE', PUBLISHING],
  title: 'Account Locked',
  repeatable: true,
  failures: ['self_target'],
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const unlock = {
  id: 'account.unlock',
  summary: 'Unlock an account',
  method: 'POST',
  path: '/api/core/account/unlock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:UpdateItem:ACCOUNT',
    CHANGE_OF_ACCOUNT,
    'transaction:UpdateItem:STATS',
    'transaction:UpdateItem:SLICE',
    PUBLISHING,
  ],
  title: 'Account Unlocked',
  repeatable: true,
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const cancel = {
  id: 'account.cancel',
  summary: 'Cancel an account',
  method: 'POST',
  path: '/api/core/account/cancel/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [CHANGE_OF_ACCOUNT, 'transaction:PutItem:CANCELLED', PUBLISHING],
  title: 'Account Cancelled',
  repeatable: true,
  failures: ['self_target'],
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const reactivate = {
  id: 'account.reactivate',
  summary: 'Reactivate an account',
  method: 'POST',
  path: '/api/core/account/reactivate/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    CHANGE_OF_ACCOUNT,
    'table:Query:ACCOUNT',
    'transaction:DeleteItem:ACCOUNT',
    'transaction:DeleteItem:TOKEN',
    'transaction:DeleteItem:CANCELLED',
    PUBLISHING,
  ],
  title: 'Account Reactivated',
  repeatable: true,
  params: target,
  body: () => z.strictObject({ revoke_tokens: z.optional(z.boolean()) }),
  bodyKind: 'json-or-none',
  response: () => z.extend(changedItem(), { tokens_revived: z.int(), tokens_revoked: z.int() }),
} as const satisfies Contract;
