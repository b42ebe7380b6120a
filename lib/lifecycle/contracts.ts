import * as z from 'zod/mini';
import { directoryItemSchema } from '../account/directory-item.ts';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { CHANGE_OF_ACCOUNT, PUBLISHING } from '../contract/needs.ts';

const target = () => z.object({ username: username() });
const changedItem = () => z.extend(directoryItemSchema(), { changed: z.boolean() });

export const lock = {
  id: 'account.lock',
  summary: 'Lock an account: every credential of it is refused',
  method: 'POST',
  path: '/api/core/account/lock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    ...CHANGE_OF_ACCOUNT,
    'transaction:UpdateItem:STATS',
    'transaction:UpdateItem:SLICE',
    ...PUBLISHING,
  ],
  title: 'Account Locked',
  repeatable: true,
  failures: ['self_target'],
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const unlock = {
  id: 'account.unlock',
  summary: 'Unlock an account and forget its failed logins',
  method: 'POST',
  path: '/api/core/account/unlock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:UpdateItem:ACCOUNT',
    ...CHANGE_OF_ACCOUNT,
    'transaction:UpdateItem:STATS',
    'transaction:UpdateItem:SLICE',
    ...PUBLISHING,
  ],
  title: 'Account Unlocked',
  repeatable: true,
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const cancel = {
  id: 'account.cancel',
  summary: 'Cancel an account and publish user_cancel',
  method: 'POST',
  path: '/api/core/account/cancel/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [...CHANGE_OF_ACCOUNT, 'transaction:PutItem:CANCELLED', ...PUBLISHING],
  title: 'Account Cancelled',
  repeatable: true,
  failures: ['self_target'],
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const reactivate = {
  id: 'account.reactivate',
  summary: 'Make a cancelled account active again and publish user_reactivate',
  method: 'POST',
  path: '/api/core/account/reactivate/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    ...CHANGE_OF_ACCOUNT,
    'table:Query:ACCOUNT',
    'transaction:DeleteItem:ACCOUNT',
    'transaction:DeleteItem:TOKEN',
    'transaction:DeleteItem:CANCELLED',
    ...PUBLISHING,
  ],
  title: 'Account Reactivated',
  repeatable: true,
  params: target,
  body: () => z.strictObject({ revoke_tokens: z.optional(z.boolean()) }),
  bodyKind: 'json-or-none',
  response: () => z.extend(changedItem(), { tokens_revived: z.int(), tokens_revoked: z.int() }),
} as const satisfies Contract;
