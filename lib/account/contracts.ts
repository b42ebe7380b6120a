import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ACTIVITY, ATTEMPTING, PUBLISHING, REPEATING } from '../contract/needs.ts';
import { instant, page, pageQuery, pageQueryById } from '../contract/paging.ts';
import { idempotencyKey } from '../idempotency/key.ts';
import { wholeNumber } from '../item/fields.ts';
import { statisticsSchema } from '../stats/statistics.ts';
import { sameUsername } from './account.ts';
import { filterQuery } from './directory/filter.ts';
import { directoryItemSchema } from './directory/item.ts';
import { roleOrAppName, username } from './identifiers.ts';
import { MAX_CODE_HOURS } from './limits.ts';
import { lockTerms } from './lock-terms.ts';
import { membershipChange } from './memberships.ts';
import { newAccount } from './new-account.ts';
import { profileSchema, profileUpdateSchema, pscope, userSchema } from './profile/schema.ts';
import { sessionSchema } from './sessions.ts';

const target = () => z.object({ username: username() });
const changedItemSchema = () => z.extend(directoryItemSchema(), { changed: z.boolean() });

const session = () =>
  z.strictObject({
    JWTtoken: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    expires_at: z.string(),
    username: z.string(),
  });

export const login = {
  id: 'account.login',
  summary: 'Log in',
  method: 'POST',
  path: '/api/core/account/login',
  access: 'public',
  needs: [
    ATTEMPTING,
    'table:GetItem:ACCOUNT',
    'table:GetItem:TOKEN',
    'table:BatchGetItem:ACCOUNT',
    'table:BatchGetItem:TOKEN',
    'table:PutItem:PASSWORD',
    'table:PutItem:SESSION',
    'table:UpdateItem:TOKEN:session',
    ACTIVITY,
    'table:Query:KEYS',
  ],
  title: 'Login',
  // A retry creates a second session; the client never received the first.
  repeatable: true,
  failures: ['invalid_credentials', 'too_many_requests'],
  // bcrypt at cost 12 takes 0.4 s of a full CPU: this rate keeps at most about twenty of them busy.
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
  response: session,
} as const satisfies Contract;

export const password = {
  id: 'account.password',
  summary: 'Change a password',
  method: 'POST',
  path: '/api/core/account/password',
  access: 'authenticated-or-code',
  needs: [
    ATTEMPTING,
    'table:BatchGetItem:CODE',
    'transaction:UpdateItem:ACCOUNT:password',
    'transaction:PutItem:PASSWORD',
    'transaction:DeleteItem:CODE',
    'transaction:PutItem:SESSION:password',
    PUBLISHING,
  ],
  title: 'Password Changed',
  failures: ['invalid_credentials', 'too_many_requests'],
  memory: 1769,
  // Anyone may send codes, so the rate is limited like that of logins; a success takes three hashes.
  throttle: { rate: 20, burst: 40 },
  body: () =>
    z.strictObject({
      current_password: z.optional(z.string()),
      username: z.optional(z.string()),
      code: z.optional(z.string()),
      new_password: z.string(),
      createCookie: z.optional(z.boolean()),
    }),
  response: session,
} as const satisfies Contract;

export const logout = {
  id: 'account.logout',
  summary: 'Log out everywhere',
  method: 'GET',
  path: '/api/core/account/logout',
  access: 'authenticated',
  unsafe: true,
  needs: ['table:UpdateItem:ACCOUNT:logout'],
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
    'table:GetItem:CURSORS',
    'table:PutItem:CURSORS',
  ],
  title: 'Account List',
  compress: true,
  memory: 1769,
  query: () =>
    z
      .extend(pageQuery(), {
        ...filterQuery().shape,
        cancelled_since: z.optional(instant()),
        username: z.optional(username()),
      })
      .check(
        z.refine(({ state, cancelled_since }) => state !== 'active' || cancelled_since === undefined, {
          error: 'Cannot be active with cancelled_since',
          path: ['state'],
        }),
        z.refine(
          ({ limit: _, ...asked }) => asked.username === undefined || Object.keys(asked).length === 1,
          { error: 'Cannot be combined with a filter or a cursor', path: ['username'] },
        ),
      ),
  response: () =>
    z.strictObject({
      items: z.array(directoryItemSchema()),
      stats: statisticsSchema(),
      ...page(),
    }),
} as const satisfies Contract;

const codeHours = () => wholeNumber(1, MAX_CODE_HOURS);

export const create = {
  id: 'account.create',
  summary: 'Create an account',
  method: 'POST',
  path: '/api/core/account/create',
  access: { role: 'sys_administrator' },
  creates: 'account',
  needs: [
    REPEATING,
    'table:BatchGetItem:TEAMS',
    'transaction:PutItem:ACCOUNT:create',
    'transaction:UpdateItem:ACCOUNT:properties',
    'transaction:PutItem:CODE',
    'transaction:UpdateItem:STATS:counter',
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:ConditionCheckItem:TOKEN:end',
    PUBLISHING,
  ],
  title: 'Account Created',
  failures: ['account_exists', 'idempotency_key_reused', 'team_not_found'],
  requestHeaders: idempotencyKey,
  body: () => z.extend(newAccount(), { invite_hours: z.optional(codeHours()) }),
  response: () =>
    z.extend(directoryItemSchema(), {
      code: z.optional(z.string()),
      code_expires_at: z.optional(z.string()),
    }),
} as const satisfies Contract;

export const copy = {
  id: 'account.copy',
  summary: 'Copy roles and teams',
  method: 'POST',
  path: '/api/core/account/copy/{source_username}/{target_username}',
  access: { role: 'sys_administrator' },
  accounts: ['source_username', 'target_username'],
  needs: ['transaction:UpdateItem:ACCOUNT:memberships', 'transaction:ConditionCheckItem:ACCOUNT:guard'],
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

export const access = {
  id: 'account.access',
  summary: 'Add and remove roles, teams and applications',
  method: 'POST',
  path: '/api/core/account/access/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:BatchGetItem:TEAMS',
    'index:GSI1:ACCOUNTS',
    'transaction:UpdateItem:ACCOUNT:memberships',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  title: 'Access Changed',
  failures: [
    'account_cancelled',
    'app_limit',
    'last_administrator',
    'role_limit',
    'team_limit',
    'team_not_found',
  ],
  params: target,
  body: membershipChange,
  response: () =>
    z.strictObject({
      username: z.string(),
      roles_added: z.array(z.string()),
      roles_removed: z.array(z.string()),
      teams_added: z.array(z.uuid()),
      teams_removed: z.array(z.uuid()),
      apps_added: z.array(z.string()),
      apps_removed: z.array(z.string()),
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
    'table:UpdateItem:ACCOUNT:profile',
    'transaction:UpdateItem:ACCOUNT:profile',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
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
  needs: [
    'table:UpdateItem:ACCOUNT:context',
    'transaction:UpdateItem:ACCOUNT:context',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  title: 'Application Context',
  failures: ['account_cancelled', 'app_not_found'],
  params: () => z.object({ app_name: roleOrAppName(), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), user_app_name: z.string() }),
} as const satisfies Contract;

export const sessions = {
  id: 'account.sessions',
  summary: 'List sessions',
  method: 'GET',
  path: '/api/core/account/sessions/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: ['table:Query:SESSION', 'table:Query:KEYS'],
  title: 'Session List',
  params: () => z.object({ username: z.optional(username()) }),
  query: pageQueryById,
  response: () => z.strictObject({ items: z.array(sessionSchema()), ...page() }),
} as const satisfies Contract;

export const endSession = {
  id: 'account.end-session',
  summary: 'End a session',
  method: 'POST',
  path: '/api/core/account/sessions/end/{session_id}/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [
    'table:GetItem:SESSION',
    'table:Query:KEYS',
    'transaction:UpdateItem:ACCOUNT:ended',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  title: 'Session Ended',
  failures: ['session_not_found'],
  params: () => z.object({ session_id: z.uuid().check(z.toLowerCase()), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), id: z.uuid() }),
} as const satisfies Contract;

export const lock = {
  id: 'account.lock',
  summary: 'Lock an account',
  method: 'POST',
  path: '/api/core/account/lock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:GetItem:SLICE',
    'transaction:UpdateItem:ACCOUNT:lock',
    'transaction:DeleteItem:CODE',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:STATS:counter',
    'transaction:UpdateItem:SLICE:until',
    PUBLISHING,
  ],
  title: 'Account Locked',
  repeatable: true,
  failures: ['self_target'],
  params: target,
  body: lockTerms,
  bodyKind: 'json-or-none',
  response: changedItemSchema,
} as const satisfies Contract;

export const code = {
  id: 'account.code',
  summary: 'Create a one-time code',
  method: 'POST',
  path: '/api/core/account/code/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:ConditionCheckItem:TOKEN:end',
    'transaction:PutItem:CODE',
  ],
  title: 'Code Created',
  failures: ['account_cancelled', 'account_locked'],
  params: target,
  body: () => z.strictObject({ hours: z.optional(codeHours()) }),
  bodyKind: 'json-or-none',
  response: () => z.strictObject({ username: z.string(), code: z.string(), expires_at: z.string() }),
} as const satisfies Contract;

export const unlock = {
  id: 'account.unlock',
  summary: 'Unlock an account',
  method: 'POST',
  path: '/api/core/account/unlock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:UpdateItem:ACCOUNT:unlock',
    'transaction:UpdateItem:ACCOUNT:unlock',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:STATS:counter',
    'transaction:UpdateItem:SLICE:until',
    PUBLISHING,
  ],
  title: 'Account Unlocked',
  repeatable: true,
  params: target,
  response: changedItemSchema,
} as const satisfies Contract;

export const cancel = {
  id: 'account.cancel',
  summary: 'Cancel an account',
  method: 'POST',
  path: '/api/core/account/cancel/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'transaction:UpdateItem:ACCOUNT:cancel',
    'transaction:DeleteItem:CODE',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:PutItem:CANCELLED',
    PUBLISHING,
  ],
  title: 'Account Cancelled',
  repeatable: true,
  failures: ['self_target'],
  params: target,
  response: changedItemSchema,
} as const satisfies Contract;

export const reactivate = {
  id: 'account.reactivate',
  summary: 'Reactivate an account',
  method: 'POST',
  path: '/api/core/account/reactivate/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'transaction:UpdateItem:ACCOUNT:reactivate',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'table:GetItem:ACCOUNT',
    'table:Query:ACCOUNT',
    'table:Query:NAMES',
    'transaction:UpdateItem:ACCOUNT:former-name',
    'transaction:DeleteItem:NAMES',
    'transaction:DeleteItem:TOKEN',
    'transaction:DeleteItem:CANCELLED',
    PUBLISHING,
  ],
  title: 'Account Reactivated',
  repeatable: true,
  params: target,
  body: () => z.strictObject({ revoke_tokens: z.optional(z.boolean()) }),
  bodyKind: 'json-or-none',
  response: () => z.extend(changedItemSchema(), { tokens_revived: z.int(), tokens_revoked: z.int() }),
} as const satisfies Contract;
