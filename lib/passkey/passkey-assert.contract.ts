import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { session, sessionTexts } from '../login/session.ts';
import type { Texts } from '../texts.ts';
import { binary, publicKeyCredential, publicKeyCredentialTexts } from './public-key-credential.ts';

export const contract = {
  id: 'account.passkey-assert',
  summary: 'Log in with a passkey',
  method: 'POST',
  path: '/api/core/account/passkey/assert',
  access: 'public',
  needs: [
    'table:GetItem:ACCOUNT',
    'table:BatchGetItem:PASSKEY',
    'table:BatchGetItem:ATTEMPTS',
    'table:GetItem:ATTEMPTS',
    'table:PutItem:ATTEMPTS',
    'table:GetItem:CHALLENGES',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:SPENT',
    'transaction:UpdateItem:PASSKEY:use',
    'table:UpdateItem:ACCOUNT:counter',
    'table:PutItem:SESSION:passkey',
    'table:UpdateItem:ACCOUNT:activity',
    'transaction:UpdateItem:ACCOUNT:activity',
    'transaction:UpdateItem:SLICE:active',
    'table:Query:KEYS',
    'table:UpdateItem:KEYS:publish',
    'signing-key:read',
  ],
  audit: { target: 'account', details: ['session'] },
  title: 'Login',
  failures: ['invalid_credentials', 'too_many_requests'],
  // Strangers may send it, and each attempt is counted: the rate is limited like that of logins.
  throttle: { rate: 50, burst: 100 },
  maxBodyBytes: 16 * 1024,
  body: () =>
    z.strictObject({
      credential: publicKeyCredential({
        authenticatorData: binary(),
        signature: binary(),
        userHandle: z.nullish(binary()),
      }),
      createCookie: z.optional(z.boolean()),
    }),
  response: session,
} as const satisfies Contract;

export const texts = {
  description: [
    'Exchanges the assertion of a passkey for a session token that this passkey has confirmed, by the options of `account/passkey/options` with the purpose `assert`.',
    'It logs in without a password, or raises a session: the answer is a new session, and the former one stays as it is.',
    'Every failure gets the same response. After <!-- limit-of-address --> from an address, further attempts are refused for a while.',
  ],
  tag: 'Passkeys',
  body: {
    name: 'PasskeyAssertion',
    parts: [publicKeyCredentialTexts],
    fields: {
      credential:
        'Result of `navigator.credentials.get`, as its `toJSON` returns it; other members are ignored',
      authenticatorData: 'Domain, flags and signature counter, in base64url',
      signature: 'Signature of both, in base64url',
      userHandle:
        'Account ID as the device has it, in base64url; required for a challenge without an account',
      createCookie:
        'Whether the response also sets the session token as the cookie `ptoken`; false by default',
    },
  },
  response: sessionTexts,
  headers: ['set-cookie'],
} as const satisfies Texts;
