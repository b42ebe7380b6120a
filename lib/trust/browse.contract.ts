import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { page, pageQuery } from '../contract/paging.ts';
import type { Texts } from '../texts.ts';
import { knownIssuerSchema, knownIssuerTexts } from './known-issuer.ts';
import { trustRecordSchema, trustTexts } from './record.ts';

export const contract = {
  id: 'trust.browse',
  summary: 'List trusts',
  method: 'GET',
  path: '/api/core/trust/browse',
  access: { role: 'sys_administrator' },
  needs: ['index:GSI1:TRUSTS', 'table:Query:TRUST', 'table:GetItem:CURSORS', 'table:PutItem:CURSORS'],
  title: 'Trust List',
  compress: true,
  query: () =>
    z.extend(pageQuery(), {
      username: z.optional(username()),
      issuer: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
    }),
  response: () =>
    z.strictObject({
      items: z.array(trustRecordSchema()),
      issuers: z.array(knownIssuerSchema()),
      ...page(),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Lists the trusts of all machines, sorted by the lower-cased username of their machines, then by name.',
    'Pass `data.next_cursor` as `cursor` to get the next page.',
    'A page may be short or empty before the last.',
    '`issuers` has what a new trust can name, so that a form can offer it.',
  ],
  query: {
    username: 'List only trusts of this machine, as of now',
    issuer: 'List only trusts of the issuer with this name, which need not be in the settings any more',
  },
  response: {
    name: 'TrustPage',
    parts: [trustTexts, knownIssuerTexts],
    fields: { issuers: 'Issuers of `Settings:Issuers`, on every page' },
  },
} as const satisfies Texts;
