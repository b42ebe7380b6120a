import * as z from 'zod/mini';
import type { Contract } from '../http/contract.ts';
import { page, pageQuery } from '../http/paging.ts';
import { ANNOUNCING } from '../needs.ts';
import { sameUsername } from './account.ts';
import { directoryItemSchema } from './directory-item.ts';
import { roleOrAppName, username } from './names.ts';
import { profileSchema, profileUpdateSchema, pscope, userSchema } from './profile-schema.ts';

const target = () => z.object({ username: username() });
const optionalTarget = () => z.object({ username: z.optional(username()) });
const changedItem = () => z.extend(directoryItemSchema(), { changed: z.boolean() });

/** A change of an account's state, and the check of the caller in the same transaction. */
const STATE_CHANGE = ['table:UpdateItem:ACCOUNT', 'table:ConditionCheckItem:ACCOUNT'] as const;

export const profile = {
  id: 'account.profile',
  summary: 'Read a profile: your own, or as an administrator anyone’s',
  method: 'GET',
  path: '/api/core/account/profile/{username?}',
  access: { role: 'sys_administrator', orSelf: true },
  accounts: ['username'],
  needs: ['table:GetItem:ACCOUNT'],
  title: 'Profile',
  params: optionalTarget,
  query: () => z.object({ pscope: z.optional(pscope()) }),
  response: profileSchema,
} as const satisfies Contract;

export const profileUpdate = {
  id: 'account.profile-update',
  summary: 'Change fields of a profile: your own, or as an administrator anyone’s',
  method: 'POST',
  path: '/api/core/account/profile-update',
  access: 'authenticated',
  needs: ['table:GetItem:ACCOUNT', 'table:PutItem:ACCOUNT', 'table:UpdateItem:ACCOUNT'],
  title: 'Profile Updated',
  body: profileUpdateSchema,
  response: () => z.strictObject({ user: userSchema() }),
} as const satisfies Contract;

export const browse = {
  id: 'account.browse',
  summary: 'List the account directory with its statistics',
  method: 'GET',
  path: '/api/core/account/browse',
  access: { role: 'sys_administrator' },
  needs: ['index:GSI1', 'index:GSI2', 'table:Query:STATS', 'table:GetItem:KEYS'],
  title: 'Account List',
  compress: true,
  memory: 1769,
  query: pageQuery,
  response: () =>
    z.strictObject({
      items: z.array(directoryItemSchema()),
      stats: z.strictObject({ count: z.int(), locked: z.int(), last_week: z.int(), today: z.int() }),
      ...page(),
    }),
} as const satisfies Contract;

export const copy = {
  id: 'account.copy',
  summary: 'Give an account the roles and teams of another',
  method: 'POST',
  path: '/api/core/account/copy/{source_username}/{target_username}',
  access: { role: 'sys_administrator' },
  accounts: ['source_username', 'target_username'],
  needs: ['table:UpdateItem:ACCOUNT'],
  title: 'Account Copied',
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

export const lock = {
  id: 'account.lock',
  summary: 'Lock an account: every credential of it is refused',
  method: 'POST',
  path: '/api/core/account/lock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [...STATE_CHANGE, 'table:UpdateItem:STATS'],
  title: 'Account Locked',
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const unlock = {
  id: 'account.unlock',
  summary: 'Unlock an account and forget its failed logins',
  method: 'POST',
  path: '/api/core/account/unlock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [...STATE_CHANGE, 'table:UpdateItem:STATS'],
  title: 'Account Unlocked',
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const cancel = {
  id: 'account.cancel',
  summary: 'Cancel an account and publish user_cancel',
  method: 'POST',
  path: '/api/core/account/cancel/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [...STATE_CHANGE, ...ANNOUNCING],
  title: 'Account Cancelled',
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const reactivate = {
  id: 'account.reactivate',
  summary: 'Make a cancelled account active again',
  method: 'POST',
  path: '/api/core/account/reactivate/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: STATE_CHANGE,
  title: 'Account Reactivated',
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const context = {
  id: 'account.context',
  summary: 'Switch the application context: your own, or as an administrator anyone’s',
  method: 'POST',
  path: '/api/core/account/context/{app_name}/{username?}',
  access: { role: 'sys_administrator', orSelf: true },
  accounts: ['username'],
  needs: ['table:UpdateItem:ACCOUNT'],
  title: 'Application Context',
  params: () => z.object({ app_name: roleOrAppName(), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), user_app_name: z.string() }),
} as const satisfies Contract;

export const login = {
  id: 'account.login',
  summary: 'Exchange a username and password, or an API token, for a session token',
  method: 'POST',
  path: '/api/core/account/login',
  access: 'public',
  needs: [
    'table:GetItem:ACCOUNT',
    'table:GetItem:TOKEN',
    'table:GetItem:TRIES',
    'table:BatchGetItem:ACCOUNT',
    'table:BatchGetItem:TRIES',
    'table:PutItem:TRIES',
    'table:PutItem:ACCOUNT',
    'table:UpdateItem:ACCOUNT',
    'table:UpdateItem:TOKEN',
    'table:UpdateItem:STATS',
    'signing-key:read',
  ],
  title: 'Login',
  // bcrypt at cost 12 takes 200 ms of a full CPU, so strangers keep at most about ten of them busy.
  memory: 1769,
  throttle: { rate: 50, burst: 100 },
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
  summary: 'End all of your sessions',
  method: 'GET',
  path: '/api/core/account/logout',
  access: 'authenticated',
  unsafe: true,
  needs: ['table:UpdateItem:ACCOUNT'],
  title: 'Logout',
  response: () => z.strictObject({ username: z.string() }),
} as const satisfies Contract;
