import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ATTEMPTING, PUBLISHING } from '../contract/needs.ts';
import { session } from './session.ts';

export const contract = {
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
