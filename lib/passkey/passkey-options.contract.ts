import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { typed } from '../item/fields.ts';
import type { Texts } from '../texts.ts';
import { PURPOSES } from './challenge.ts';

export const contract = {
  id: 'account.passkey-options',
  summary: 'Ask for a passkey challenge',
  method: 'POST',
  path: '/api/core/account/passkey/options',
  access: 'optional',
  needs: ['table:BatchGetItem:PASSKEY', 'table:GetItem:CHALLENGES', 'table:PutItem:CHALLENGES'],
  title: 'Passkey Options',
  repeatable: true,
  failures: ['forbidden', 'machine_account', 'step_up_required'],
  body: () => z.strictObject({ purpose: z.enum(PURPOSES), username: z.optional(typed()) }),
  response: () => z.strictObject({ options: z.record(z.string(), z.unknown()) }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Answers what a browser needs to create a passkey, or to confirm you with one, and stores nothing.',
    'With your credential, the challenge is yours: a new passkey for you, or an assertion that raises your session. Without one, the purpose is `assert`, for a login without a username; send no cookie then (`credentials: "omit"` in `fetch`).',
    'The challenge is valid for <!-- challenge-minutes --> minutes and for one answer, to a page that is in no frame of another origin.',
    'A new passkey needs a session of the last <!-- recent-minutes --> minutes: the first one a login with the password or a one-time code, further ones an assertion of another passkey.',
  ],
  tag: 'Passkeys',
  body: {
    name: 'PasskeyPurpose',
    fields: {
      purpose: '`create` for `account/passkey/create`, `assert` for `account/passkey/assert`',
      username: 'No effect: the answer is the same for every username',
    },
  },
  response: {
    name: 'PasskeyOptions',
    fields: {
      options:
        'Argument of `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` (WebAuthn level 3)',
    },
  },
} as const satisfies Texts;
