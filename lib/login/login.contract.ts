import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ACTIVITY, ATTEMPTING } from '../contract/needs.ts';
import { typed } from '../item/fields.ts';
import type { Texts } from '../texts.ts';
import { session, sessionTexts } from './session.ts';

export const contract = {
  id: 'account.login',
  summary: 'Log in',
  method: 'POST',
  path: '/api/core/account/login',
  access: 'public',
  needs: [
    ...ATTEMPTING,
    'table:GetItem:ACCOUNT',
    'table:GetItem:TOKEN',
    'table:BatchGetItem:ACCOUNT',
    'table:BatchGetItem:TOKEN',
    'table:PutItem:PASSWORD',
    'table:PutItem:SESSION',
    'table:UpdateItem:TOKEN:session',
    ...ACTIVITY,
    'table:Query:KEYS',
  ],
  audit: { target: 'account', details: ['session'] },
  title: 'Login',
  // A retry creates a second session; the client never received the first.
  repeatable: true,
  failures: ['invalid_credentials', 'too_many_requests'],
  // A login takes about 0.4 s of a full CPU (infra/cost/prices.json): this rate keeps about twenty of them busy.
  memory: 1769,
  throttle: { rate: 50, burst: 100 },
  // The maximum number of logins in progress during a burst.
  reserved: 100,
  body: () =>
    z.strictObject({
      username: typed(),
      password: z.string(),
      createCookie: z.optional(z.boolean()),
    }),
  response: session,
} as const satisfies Contract;

export const texts = {
  description: [
    'Exchanges a username and password, or an API token, for a session token: a JWT that is valid for <!-- session-hours --> hours by default.',
    'To log in with an API token, send the username `api` and the token as the password.',
    'Unknown usernames, wrong passwords and locked accounts get the same response.',
    'After <!-- limit-of-pair --> of a username from an address, further attempts are refused for a while.',
  ],
  tag: 'Sessions',
  body: {
    name: 'Credentials',
    fields: {
      username: 'Username, or `api` for an API token',
      password: 'Password of the account, or the API token if the username is `api`',
      createCookie:
        'Whether the response also sets the session token as the cookie `ptoken`; false by default',
    },
  },
  response: sessionTexts,
  headers: ['set-cookie'],
} as const satisfies Texts;
