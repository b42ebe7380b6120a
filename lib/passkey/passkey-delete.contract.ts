import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { passkeyName } from './passkey.ts';

export const contract = {
  id: 'account.passkey-delete',
  summary: 'Remove a passkey',
  method: 'POST',
  path: '/api/core/account/passkey/delete/{passkey_name}/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  stepUp: { except: 'own-unusable-passkey' },
  ownBy: 'session',
  accounts: ['username'],
  needs: [
    'transaction:UpdateItem:ACCOUNT:passkey_delete',
    'transaction:UpdateItem:PASSKEY',
    'table:DeleteItem:PASSKEY',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:OUTBOX:passkey_delete',
    ...PUBLISHING,
  ],
  audit: { target: 'account', details: ['passkey'] },
  title: 'Passkey Removed',
  failures: ['passkey_not_found'],
  params: () => z.object({ passkey_name: passkeyName(), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), name: z.string() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Removes a passkey of your own account; administrators may name another account.',
    'It and the sessions that it opened are refused from the next request on; other sessions stay.',
    'A credential with limits, other than an expiry, is refused.',
    'An own passkey of another domain needs no confirmation by a passkey.',
  ],
  tag: 'Passkeys',
  params: { passkey_name: 'Name of the passkey, percent-encoded, in any case' },
  response: {
    fields: { username: 'Account of the passkey', name: 'Name of the passkey' },
  },
} as const satisfies Texts;
