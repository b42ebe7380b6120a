import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { shownTexts } from '../../item/fields.ts';
import type { Texts } from '../../texts.ts';
import { profileUpdateSchema, userSchema, userTexts } from './schema.ts';

export const contract = {
  id: 'account.profile-update',
  summary: 'Update a profile',
  method: 'POST',
  path: '/api/core/account/profile-update',
  access: { role: 'sys_administrator', orSelf: 'body' },
  needs: [
    'table:GetItem:ACCOUNT',
    'table:UpdateItem:ACCOUNT:profile',
    'transaction:UpdateItem:ACCOUNT:profile',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  audit: { target: 'account', details: ['fields'] },
  title: 'Profile Updated',
  failures: ['account_not_found', 'precondition_failed', 'team_not_member'],
  requestHeaders: () => z.object({ 'if-match': z.optional(z.string()) }),
  body: profileUpdateSchema,
  response: () => z.strictObject({ user: userSchema() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Changes the fields in the body and returns the updated user.',
    '`username` in the body names another account, which only administrators may change.',
  ],
  body: {
    name: 'ProfileUpdate',
    parts: [shownTexts],
    fields: {
      username: 'Account to update; by default your own',
      team_id: 'New default team; the account must be a member',
      user_properties:
        'New custom properties, which replace all existing ones: free JSON of at most <!-- properties -->',
      root: 'Free key/value pairs',
    },
  },
  response: {
    name: 'UpdatedProfile',
    parts: [userTexts],
    fields: { user: 'User of the profile' },
  },
  headers: ['etag'],
} as const satisfies Texts;
