import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { wholeNumber } from '../item/fields.ts';
import type { Texts } from '../texts.ts';
import { username } from './identifiers.ts';
import { MAX_CODE_HOURS } from './maxima.ts';

export const contract = {
  id: 'account.code',
  summary: 'Create a one-time code',
  method: 'POST',
  path: '/api/core/account/code/{username}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  accounts: ['username'],
  needs: [
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:ConditionCheckItem:TOKEN:end',
    'transaction:ConditionCheckItem:ENDED',
    'transaction:UpdateItem:CODE',
    'table:UpdateItem:ACCOUNT:code',
  ],
  audit: { target: 'account', details: ['expires_at', 'end_passkeys'] },
  title: 'Code Created',
  failures: ['account_cancelled', 'account_locked', 'machine_account'],
  params: () => z.object({ username: username() }),
  body: () =>
    z.strictObject({
      hours: z.optional(wholeNumber(1, MAX_CODE_HOURS)),
      end_passkeys: z.optional(z.boolean()),
    }),
  bodyKind: 'json-or-none',
  response: () =>
    z.strictObject({
      username: z.string(),
      code: z.string(),
      expires_at: z.string(),
      end_passkeys: z.boolean(),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Creates a one-time code with which the account sets its password: `POST /api/core/account/password`.',
    'It invites an account without a password, or replaces a forgotten password.',
    'With `end_passkeys`, its use also ends all passkeys of the account and the sessions that they opened, in the same write: the way back of an owner whose account has a passkey of someone else.',
    'A later code and a new security stamp of the account end it: a new password, a logout, a lock, a cancel, `account reset-stamp`.',
    'It also ends when its maker is locked, cancelled, or no longer `sys_administrator`, changes the password with `end_codes`, or has all tokens revoked or the stamp reset.',
    'The credential of the request may have no limit except an expiry; the code expires no later.',
  ],
  body: {
    name: 'CodeRequest',
    fields: {
      hours: 'Validity of the code in hours; <!-- code-hours --> by default',
      end_passkeys:
        'Whether the use of the code ends all passkeys of the account, for example after someone else created one; false by default',
    },
  },
  response: {
    name: 'CreatedCode',
    fields: {
      username: 'Account whose password the code sets',
      code: 'One-time code in the form `XXXX-XXXX-XXXX`, shown only once: the service stores only its hash',
      expires_at: 'Expiry of the code (UTC, ends in `Z`)',
      end_passkeys: 'Whether the use of the code ends all passkeys of the account',
    },
  },
} as const satisfies Texts;
