import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { KEEPING_NAMES, PUBLISHING, REPEATING } from '../contract/needs.ts';
import { idempotencyKey } from '../idempotency/key.ts';
import { shownTexts, wholeNumber } from '../item/fields.ts';
import type { Texts } from '../texts.ts';
import { accountTexts, directoryItemSchema } from './directory/item.ts';
import { MAX_CODE_HOURS } from './maxima.ts';
import { newAccount } from './new-account.ts';

export const contract = {
  id: 'account.create',
  summary: 'Create an account',
  method: 'POST',
  path: '/api/core/account/create',
  access: { role: 'sys_administrator' },
  stepUp: { with: ['invite_hours', 'roles'] },
  creates: 'account',
  needs: [
    ...REPEATING,
    'table:BatchGetItem:TEAMS',
    'transaction:UpdateItem:ACCOUNT:create',
    'transaction:UpdateItem:ACCOUNT:properties',
    'transaction:UpdateItem:CODE',
    'transaction:UpdateItem:STATS:counter',
    ...KEEPING_NAMES,
    'transaction:ConditionCheckItem:ERASED:name',
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:ConditionCheckItem:TOKEN:end',
    'transaction:ConditionCheckItem:ENDED',
    'transaction:UpdateItem:OUTBOX:user_create',
    ...PUBLISHING,
  ],
  audit: {
    target: 'account',
    details: ['roles_added', 'teams_added', 'apps_added', 'invite_hours', 'machine_owner'],
  },
  title: 'Account Created',
  failures: [
    'account_exists',
    'account_erased',
    'idempotency_key_reused',
    'machine_account',
    'team_not_found',
  ],
  requestHeaders: idempotencyKey,
  body: () => z.extend(newAccount(), { invite_hours: z.optional(wholeNumber(1, MAX_CODE_HOURS)) }),
  response: () => z.extend(directoryItemSchema(), { code: z.optional(z.string()) }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Creates an account with the fields of an import line, but without a password.',
    'With `invite_hours`, the response contains a one-time code with which the account sets its password: `POST /api/core/account/password`.',
    'The credential may then have no limit except an expiry; the code expires no later.',
    'Unknown roles and applications are new names, except roles that begin with `sys_`, which are those of the service; teams must exist.',
    'With an `Idempotency-Key`, a repeat within <!-- repeat-hours --> hours returns the same account and the same code.',
  ],
  body: {
    name: 'NewAccount',
    parts: [shownTexts],
    fields: {
      user_color: 'Colour of the account; by default chosen by its username',
      user_short: 'Initials of the account; by default of its name',
      username:
        'Username: 1 to 128 letters, digits or `. _ @ + -`, unique regardless of case; not `api`, `.` or `..`, and not beginning with `cst_` or `eyJ`',
      lockoutenabled: 'Whether failed logins lock the account temporarily',
      apps: 'Applications that the account may use; the first is the default. `core` by default',
      roles: 'Roles of the account; a machine may have no role of the service but `sys_introspection`',
      kind: '`machine` for a program, which has no password, code or passkey; `person` by default',
      owner: 'Username of the person who answers for a machine; required for one, and only for one',
      teams: 'Short names of the teams of the account; the first is the default team',
      user_properties: 'Custom properties: free JSON of at most <!-- properties -->',
      root: 'Free key/value pairs',
      invite_hours: 'Validity in hours of a one-time code for the account; by default there is no code',
    },
  },
  response: {
    name: 'CreatedAccount',
    parts: [accountTexts],
    fields: {
      code: 'One-time code with which the account sets its password, shown only once: only with `invite_hours`',
      code_expires_at: 'Expiry of the code (UTC, ends in `Z`)',
    },
  },
} as const satisfies Texts;
