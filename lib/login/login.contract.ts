import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ACTIVITY, ATTEMPTING } from '../contract/needs.ts';
import { session } from './session.ts';

export const contract = {
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
