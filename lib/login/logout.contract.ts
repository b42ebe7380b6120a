import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';

export const contract = {
  id: 'account.logout',
  summary: 'Log out everywhere',
  method: 'GET',
  path: '/api/core/account/logout',
  access: 'authenticated',
  unsafe: true,
  needs: ['table:UpdateItem:ACCOUNT:logout'],
  title: 'Logout',
  response: () => z.strictObject({ username: z.string() }),
} as const satisfies Contract;
