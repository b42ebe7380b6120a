import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { trustName } from './record.ts';

export const contract = {
  id: 'trust.delete',
  summary: 'Delete a trust',
  method: 'POST',
  path: '/api/core/trust/delete/{trust_name}/{username}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  accounts: ['username'],
  needs: [
    'table:GetItem:TRUST',
    'transaction:UpdateItem:ACCOUNT:trust_delete',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:TRUST:end',
    'table:DeleteItem:TRUST',
    'transaction:UpdateItem:OUTBOX:trust_delete',
    ...PUBLISHING,
  ],
  audit: { target: 'account', details: ['trust'] },
  title: 'Trust Deleted',
  failures: ['trust_not_found'],
  params: () => z.object({ trust_name: trustName(), username: username() }),
  response: () => z.strictObject({ trust_name: z.string(), username: z.string() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Deletes a trust of a machine.',
    'The next request with a session that it opened is refused; a new trust with its name revives none of them.',
  ],
  params: { trust_name: 'Name of the trust' },
  response: {
    name: 'DeletedTrust',
    fields: { trust_name: 'Name of the trust', username: 'Machine of the trust' },
  },
} as const satisfies Texts;
