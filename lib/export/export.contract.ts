import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import { userSchema, userTexts } from '../account/profile/schema.ts';
import { openSessionTexts, sessionSchema } from '../account/sessions.ts';
import type { Contract } from '../contract/contract.ts';
import { pageQuery } from '../contract/paging.ts';
import { auditEntryTexts, listedEntrySchema } from '../item/audit-entry.ts';
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
  // A page may take two seconds of CPU, and has up to 5 MB.
  throttle: { rate: 10, burst: 20 },
  failures: ['too_many_requests'],
  accounts: ['username'],
  audit: { target: 'account', changes: false },
  needs: [
    'table:GetItem:ACCOUNT',
    'table:Query:ACCOUNT',
    'table:Query:NAMES',
    'index:GSI1:TOKENS',
    'table:Query:SESSION',
    'table:BatchGetItem:PASSKEY',
    'table:GetItem:CODE',
    'index:GSI1:TARGETS',
    'index:GSI1:REFUSALS',
    'table:Query:ACTS',
    'table:BatchGetItem:AUDIT',
    'table:UpdateItem:EXPORTS',
    'table:GetItem:CURSORS',
    'table:PutItem:CURSORS',
  ],
  title: 'Account Export',
  compress: true,
  params: () => z.object({ username: z.optional(username()) }),
  query: () => z.pick(pageQuery(), { cursor: true }),
  response: () =>
    z.strictObject({
      exported_at: z.string(),
      userid: z.optional(z.uuid()),
      profile: z.optional(
        z.strictObject({
          user: userSchema(),
          teams: z.array(membershipSchema()),
          roles: z.array(z.string()),
          apps: z.array(z.string()),
        }),
      ),
      tokens: z.optional(z.array(tokenRecordSchema())),
      sessions: z.optional(z.array(sessionSchema())),
      sessions_truncated: z.optional(z.literal(true)),
      passkeys: z.optional(z.array(passkeySchema())),
      code: z.optional(
        z.nullable(
          z.strictObject({ created_at: z.string(), created_by: z.string(), expires_at: z.string() }),
        ),
      ),
      audit: z.array(listedEntrySchema()),
      audit_truncated: z.optional(z.literal(true)),
      audit_next: z.optional(z.string()),
      attempts: z.optional(z.array(listedEntrySchema())),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Returns everything that the service stores about your own account, as one document: profile, memberships, tokens, sessions, passkeys and audit entries; administrators may name another account.',
    'It contains no secret and no hash.',
    'The audit entries are what you did and what was done to you, those of the last <!-- audit-days --> days by default, sorted newest first; they fill the rest of 5 MB.',
    'Pass `data.audit_next` as `cursor` to get further entries; such a page has `exported_at` and entries only.',
    'Entries of others have neither their source address nor their token or session.',
    'A credential gets <!-- export-pages --> pages a minute; further ones are 429 with `Retry-After`.',
    'Each page leaves an audit entry, one’s own included.',
  ],
  query: { cursor: '`audit_next` of the page before' },
  response: {
    name: 'Export',
    parts: [userTexts, membershipTexts, tokenTexts, openSessionTexts, passkeyTexts, auditEntryTexts],
    fields: {
      exported_at: 'Time of the export (UTC, ends in `Z`)',
      userid: 'ID of the account, by which its erasure can be proved; absent with `cursor`',
      profile: 'Profile with its memberships; absent with `cursor`',
      user: 'User of the profile',
      teams: 'Teams of the account',
      roles: 'Roles of the account',
      apps: 'Applications that the account may use',
      tokens: 'API tokens of the account by name; absent with `cursor`',
      sessions: 'Open sessions, newest first, as many as fit 5 MB: about 16,000; absent with `cursor`',
      sessions_truncated:
        'Whether older sessions are left out, since the answer is full or 20 MB of ended ones were read; absent otherwise',
      passkeys: 'Passkeys, oldest first; absent with `cursor`',
      code: 'The one-time code that works now; null without one, absent with `cursor`',
      created_at: 'Creation of the code (UTC, ends in `Z`)',
      created_by: 'Account that created the code, or an operator such as `operator:support`',
      expires_at: 'Expiry of the code (UTC, ends in `Z`)',
      audit:
        'Audit entries of what the account did, and about the account and its tokens, newest first; short or empty before the last page',
      audit_truncated: 'Whether older audit entries are on further pages; absent otherwise',
      audit_next: 'Cursor of the next page of audit entries; absent on the last',
      attempts:
        'Refusals (401, 403, 429) of others that name the account, the latest first, <!-- export-attempts --> at most; absent with `cursor`',
    },
  },
} as const satisfies Texts;
