import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, TOKEN_DELETION } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { credential, credentialTexts } from './credential.ts';

/** RFC 7009. */
export const contract = {
  id: 'oauth.revoke',
  summary: 'End a credential',
  method: 'POST',
  path: '/api/core/oauth/revoke',
  access: 'authenticated',
  needs: [
    'transaction:UpdateItem:ACCOUNT:ended',
    ...TOKEN_DELETION,
    'transaction:UpdateItem:OUTBOX:token_delete',
    ...PUBLISHING,
  ],
  audit: { target: 'credential', details: ['session', 'secret'] },
  headers: { 'cache-control': 'no-store' },
  repeatable: true,
  endsReaders: true,
  body: credential,
  bodyKind: 'form',
  response: () => z.strictObject({}),
} as const satisfies Contract;

export const texts = {
  description: [
    'Ends the API token or session token in the body (RFC 7009), regardless of its owner; the sessions of an API token end with it.',
    'The response is the same for an unknown or ended credential.',
    'A read-only credential may end itself only.',
    '`token_type_hint` has no effect.',
  ],
  body: credentialTexts,
} as const satisfies Texts;
