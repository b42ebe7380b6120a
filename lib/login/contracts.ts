import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ACTIVITY } from '../contract/needs.ts';

export const login = {
  id: 'account.login',
  summary: 'Exchange a username and password, or an API token, for a session token',
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
    // Of a hash where earlier versions kept it.
    'table:DeleteItem:ACCOUNT',
    'table:GetItem:SLICE',
    'transaction:UpdateItem:ACCOUNT',
    'transaction:UpdateItem:SLICE',
    'table:UpdateItem:STATS',
    ...ACTIVITY,
    'table:Query:KEYS',
    'table:UpdateItem:KEYS',
    'signing-key:read',
  ],
  title: 'Login',
  // Another session beside the one that nobody has.
  repeatable: true,
  failures: ['invalid_credentials', 'too_many_requests'],
  // bcrypt at cost 12 takes 200 ms of a full CPU, so strangers keep at most about ten of them busy.
  memory: 1769,
  throttle: { rate: 50, burst: 100 },
  // As many as a burst of logins can take at once.
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
  summary: 'End all of your sessions',
  method: 'GET',
  path: '/api/core/account/logout',
  access: 'authenticated',
  unsafe: true,
  // A new stamp: an attribute that authentication checks, and so may name.
  needs: [],
  title: 'Logout',
  response: () => z.strictObject({ username: z.string() }),
} as const satisfies Contract;
