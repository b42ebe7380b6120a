import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, TOKEN_DELETION } from '../contract/needs.ts';
import { credential } from './credential.ts';

/** RFC 7009. */
export const contract = {
  id: 'oauth.revoke',
  summary: 'End a credential',
  method: 'POST',
  path: '/api/core/oauth/revoke',
  access: 'authenticated',
  needs: ['transaction:UpdateItem:ACCOUNT:ended', TOKEN_DELETION, PUBLISHING],
  headers: { 'cache-control': 'no-store' },
  repeatable: true,
  body: credential,
  bodyKind: 'form',
  response: () => z.strictObject({}),
} as const satisfies Contract;
