import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ATTEMPTING, PUBLISHING } from '../contract/needs.ts';
import { typed } from '../item/fields.ts';
import type { Texts } from '../texts.ts';
import { session, sessionTexts } from './session.ts';

export const contract = {
  id: 'account.password',
  summary: 'Change a password',
  method: 'POST',
  path: '/api/core/account/password',
  access: 'authenticated-or-code',
  needs: [
    ...ATTEMPTING,
    'table:BatchGetItem:CODE',
    'transaction:UpdateItem:ACCOUNT:password',
    'transaction:UpdateItem:PASSWORD',
    'table:GetItem:ACCOUNT',
    'transaction:ConditionCheckItem:CODE:use',
    'transaction:ConditionCheckItem:ACCOUNT:code-maker',
    'transaction:UpdateItem:SESSION:password',
    'transaction:UpdateItem:PASSKEY:end',
    'table:DeleteItem:PASSKEY',
    'transaction:UpdateItem:OUTBOX:password_change',
    'transaction:UpdateItem:OUTBOX:passkey_delete',
    ...PUBLISHING,
  ],
  audit: { target: 'account', details: ['session', 'proof', 'passkeys_ended'] },
  title: 'Password Changed',
  failures: ['invalid_credentials', 'too_many_requests'],
  memory: 1769,
  // Anyone may send codes, so the rate is limited like that of logins; a success takes three hashes.
  throttle: { rate: 20, burst: 40 },
  body: () =>
    z.strictObject({
      current_password: z.optional(z.string()),
      username: z.optional(typed()),
      code: z.optional(typed()),
      new_password: z.string(),
      createCookie: z.optional(z.boolean()),
      end_codes: z.optional(z.boolean()),
    }),
  response: session,
} as const satisfies Contract;

export const texts = {
  description: [
    'Sets a new password and answers like a login.',
    'All other sessions and a one-time code of the account end; API tokens stay valid. A code that was created with `end_passkeys` ends all passkeys of the account, too.',
    'Send either `current_password` with a credential that has all of your roles, or `username` and `code` without a credential (and without a cookie: `credentials: "omit"` in `fetch`).',
    'The request counts as a login attempt. Attempts with a code have counters of their own: <!-- limit-of-pair --> of a username from an address, and <!-- limit-of-address --> from an address. Failed logins never refuse a code.',
    'A weak password is 400 `invalid_request` on `new_password` with the reason, keeps the code, and does not count as a failure.',
  ],
  tag: 'Sessions',
  body: {
    name: 'NewPassword',
    fields: {
      current_password: 'Current password of your account; not with `code`',
      username: 'Account of the code; only with `code`',
      code: 'One-time code, in place of a credential and of `current_password`; case, dashes and spaces do not matter',
      new_password:
        'New password: <!-- password-bytes --> bytes in UTF-8. Refused are common passwords, and those that consist mainly of your names, of names of the service or its owner, of keys in a row, seasons, months, years, sequences or repeats',
      createCookie:
        'Whether the response also sets the session token as the cookie `ptoken`; false by default',
      end_codes:
        'Whether the one-time codes that the account has made end as well, for example after a theft of its credentials; false by default',
    },
  },
  response: sessionTexts,
  headers: ['set-cookie'],
} as const satisfies Texts;
