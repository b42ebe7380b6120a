import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import { userSchema, userTexts } from '../account/profile/schema.ts';
import { openSessionTexts, sessionSchema } from '../account/sessions.ts';
import type { Contract } from '../contract/contract.ts';
import { auditEntrySchema, auditEntryTexts } from '../item/audit-entry.ts';
import { membershipSchema, membershipTexts } from '../item/team.ts';
import { passkeySchema, passkeyTexts } from '../passkey/passkey.ts';
import type { Texts } from '../texts.ts';
import { tokenRecordSchema, tokenTexts } from '../token/record.ts';

export const contract = {
  id: 'account.export',
  summary: 'Export the data of an account',
  method: 'GET',
  path: '/api/core/account/export/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  stepUp: { about: 'another' },
  accounts: ['username'],
  audit: { target: 'account', changes: false },
  needs: [
    'table:GetItem:ACCOUNT',
    'table:Query:ACCOUNT',
    'table:Query:NAMES',
    'index:GSI1:TOKENS',
    'table:Query:SESSION',
    'table:BatchGetItem:PASSKEY',
    'index:GSI1:TARGETS',
  ],
  title: 'Account Export',
  compress: true,
  params: () => z.object({ username: z.optional(username()) }),
  response: () =>
    z.strictObject({
      exported_at: z.string(),
      profile: z.strictObject({
        user: userSchema(),
        teams: z.array(membershipSchema()),
        roles: z.array(z.string()),
        apps: z.array(z.string()),
      }),
      tokens: z.array(tokenRecordSchema()),
      sessions: z.array(sessionSchema()),
      sessions_truncated: z.optional(z.literal(true)),
      passkeys: z.array(passkeySchema()),
      audit: z.array(auditEntrySchema()),
      audit_truncated: z.optional(z.literal(true)),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Returns everything that the service stores about your own account, as one document: profile, memberships, tokens, sessions, passkeys and audit entries; administrators may name another account.',
    'It contains no secret and no hash.',
    'The audit entries about the account are sorted newest first; they fill the rest of 5 MB.',
    'Each export leaves an audit entry, one’s own included.',
  ],
  response: {
    name: 'Export',
    parts: [userTexts, membershipTexts, tokenTexts, openSessionTexts, passkeyTexts, auditEntryTexts],
    fields: {
      exported_at: 'Time of the export (UTC, ends in `Z`)',
      profile: 'Profile with its memberships',
      user: 'User of the profile',
      teams: 'Teams of the account',
      roles: 'Roles of the account',
      apps: 'Applications that the account may use',
      tokens: 'API tokens of the account by name',
      sessions: 'Open sessions, newest first, as many as fit 5 MB: about 16,000',
      sessions_truncated:
        'Whether older sessions are left out, since the answer is full or 20 MB of ended ones were read; absent otherwise',
      passkeys: 'Passkeys, oldest first',
      audit: 'Audit entries about the account and its tokens, newest first',
      audit_truncated: 'Whether older audit entries are left out, since the answer is full; absent otherwise',
    },
  },
} as const satisfies Texts;
