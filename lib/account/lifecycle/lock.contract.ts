import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { PUBLISHING } from '../../contract/needs.ts';
import type { Texts } from '../../texts.ts';
import { username } from '../identifiers.ts';
import { lockTerms } from '../lock-terms.ts';
import { changedAccountTexts, changedItemSchema } from './changed.ts';

export const contract = {
  id: 'account.lock',
  summary: 'Lock an account',
  method: 'POST',
  path: '/api/core/account/lock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:GetItem:SLICE',
    'transaction:UpdateItem:ACCOUNT:lock',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:STATS:counter',
    'transaction:UpdateItem:SLICE:until',
    'transaction:UpdateItem:OUTBOX:user_lock',
    ...PUBLISHING,
  ],
  audit: { target: 'account', details: ['until', 'reason'] },
  title: 'Account Locked',
  repeatable: true,
  failures: ['self_target'],
  params: () => z.object({ username: username() }),
  body: lockTerms,
  bodyKind: 'json-or-none',
  response: changedItemSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Refuses every credential of the account from the next request on, and ends its sessions, its one-time code and the codes that it has made permanently.',
    'With `until`, the lock ends by itself at that time, without an event.',
    'Repeating the request changes nothing and returns `changed: false`; another `reason` or `until` replaces both of the earlier lock, and a request without a body removes them.',
  ],
  body: {
    name: 'Lock',
    fields: {
      reason:
        'Reason that administrators see in the directory, stored without tokens and codes that it quotes; none by default',
      until:
        'Time in the future at which the lock ends by itself (ISO 8601, UTC unless it has a zone); by default it ends with an unlock only',
    },
  },
  response: changedAccountTexts,
} as const satisfies Texts;
