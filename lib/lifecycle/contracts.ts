import * as z from 'zod/mini';
import { directoryItemSchema } from '../account/directory-item.ts';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';

const target = () => z.object({ username: username() });
const changedItem = () => z.extend(directoryItemSchema(), { changed: z.boolean() });

/** A change of an account's state, and the check of the caller in the same transaction. */
const STATE_CHANGE = ['table:UpdateItem:ACCOUNT', 'table:ConditionCheckItem:ACCOUNT'] as const;

export const lock = {
  id: 'account.lock',
  summary: 'Lock an account: every credential of it is refused',
  method: 'POST',
  path: '/api/core/account/lock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [...STATE_CHANGE, 'table:UpdateItem:STATS'],
  title: 'Account Locked',
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
  needs: [...STATE_CHANGE, 'table:UpdateItem:STATS'],
  title: 'Account Unlocked',
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
  needs: [...STATE_CHANGE, ...PUBLISHING],
  title: 'Account Cancelled',
  params: target,
  response: changedItem,
} as const satisfies Contract;

export const reactivate = {
  id: 'account.reactivate',
  summary: 'Make a cancelled account active again',
  method: 'POST',
  path: '/api/core/account/reactivate/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: STATE_CHANGE,
  title: 'Account Reactivated',
  params: target,
  response: changedItem,
} as const satisfies Contract;
