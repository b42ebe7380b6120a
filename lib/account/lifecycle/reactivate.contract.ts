import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { PUBLISHING, TOKEN_REMOVAL } from '../../contract/needs.ts';
import type { Texts } from '../../texts.ts';
import { username } from '../identifiers.ts';
import { changedAccountTexts, changedItemSchema } from './changed.ts';

export const contract = {
  id: 'account.reactivate',
  summary: 'Reactivate an account',
  method: 'POST',
  path: '/api/core/account/reactivate/{username}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  accounts: ['username'],
  needs: [
    'transaction:UpdateItem:ACCOUNT:reactivate',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'table:GetItem:ACCOUNT',
    'transaction:UpdateItem:REVOKED:silent',
    ...TOKEN_REMOVAL,
    'transaction:UpdateItem:CANCELLED:end',
    'transaction:UpdateItem:PASSKEY:end',
    'table:DeleteItem:PASSKEY',
    'transaction:UpdateItem:OUTBOX:user_reactivate',
    'transaction:UpdateItem:OUTBOX:passkey_delete',
    'transaction:UpdateItem:TRUST:end',
    'table:DeleteItem:TRUST',
    'transaction:UpdateItem:OUTBOX:trust_delete',
    ...PUBLISHING,
  ],
  audit: {
    target: 'account',
    details: ['tokens_revived', 'tokens_revoked', 'passkeys_ended', 'trusts_revived', 'trusts_ended'],
  },
  title: 'Account Reactivated',
  repeatable: true,
  params: () => z.object({ username: username() }),
  body: () =>
    z.strictObject({
      revoke_tokens: z.optional(z.boolean()),
      end_passkeys: z.optional(z.boolean()),
    }),
  bodyKind: 'json-or-none',
  response: () =>
    z.extend(changedItemSchema(), {
      tokens_revived: z.int(),
      tokens_revoked: z.int(),
      passkeys_ended: z.int(),
      trusts_revived: z.int(),
      trusts_ended: z.int(),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Makes a cancelled account active again and publishes `user_reactivate`.',
    'Its sessions stay ended.',
    'Its API tokens and trusts work again, unless `revoke_tokens` deletes them; so do its passkeys, unless `end_passkeys` ends them.',
    'With `end_passkeys`, the credential of the request may have no limit except an expiry.',
  ],
  body: {
    name: 'Reactivation',
    fields: {
      revoke_tokens: 'Whether to delete the API tokens and trusts of the account; otherwise they work again',
      end_passkeys: 'Whether to end the passkeys of the account; otherwise they work again',
    },
  },
  response: {
    name: 'ReactivatedAccount',
    parts: [changedAccountTexts],
    fields: {
      tokens_revived: 'Number of API tokens that work again, after an unlock if the account is locked',
      tokens_revoked: 'Number of API tokens that were deleted',
      passkeys_ended: 'Number of passkeys that were ended',
      trusts_revived: 'Number of trusts that work again',
      trusts_ended: 'Number of trusts that were deleted',
    },
  },
} as const satisfies Texts;
