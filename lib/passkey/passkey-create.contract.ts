import * as z from 'zod/mini';
import { unlikeCredential } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { newPasskeyName, passkeySchema, passkeyTexts } from './passkey.ts';
import { binary, publicKeyCredential, publicKeyCredentialTexts } from './public-key-credential.ts';

export const contract = {
  id: 'account.passkey-create',
  summary: 'Create a passkey',
  method: 'POST',
  path: '/api/core/account/passkey/create/{passkey_name}',
  access: 'authenticated',
  ownBy: 'session',
  needs: [
    'table:GetItem:CHALLENGES',
    'transaction:UpdateItem:SPENT',
    'transaction:UpdateItem:PASSKEY',
    'transaction:UpdateItem:ACCOUNT:passkey_create',
    'transaction:ConditionCheckItem:ENDED',
    'transaction:UpdateItem:OUTBOX:passkey_create',
    ...PUBLISHING,
  ],
  audit: { target: 'account', details: ['passkey'] },
  title: 'Passkey Created',
  failures: ['forbidden', 'machine_account', 'passkey_exists', 'passkey_limit', 'step_up_required'],
  params: () => z.object({ passkey_name: newPasskeyName().check(unlikeCredential()) }),
  maxBodyBytes: 32 * 1024,
  body: () =>
    z.strictObject({
      credential: publicKeyCredential({
        attestationObject: binary(),
        transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16))),
      }),
    }),
  response: passkeySchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Stores the passkey that a browser has created for your account by the options of `account/passkey/options` with the purpose `create`.',
    'The device must verify its user. An account has at most <!-- max-passkeys --> passkeys.',
  ],
  tag: 'Passkeys',
  params: {
    passkey_name:
      'Name of the passkey, such as that of its device, percent-encoded; unique regardless of case. White space around it is ignored',
  },
  body: {
    name: 'NewPasskey',
    parts: [publicKeyCredentialTexts],
    fields: {
      credential:
        'Result of `navigator.credentials.create`, as its `toJSON` returns it; other members are ignored',
      attestationObject:
        'Public key, domain and flags of the new passkey, in base64url; an attestation is refused, since none was asked for',
      transports: 'Ways to reach the device',
    },
  },
  response: passkeyTexts,
} as const satisfies Texts;
