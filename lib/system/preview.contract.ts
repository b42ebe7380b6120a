import * as z from 'zod/mini';
import { accountCacheMs } from '../auth/account-cache.ts';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'system.preview',
  summary: 'Preview Markdown',
  method: 'POST',
  path: '/api/core/system/preview',
  access: 'authenticated',
  needs: [],
  repeatable: true,
  accountCacheMs,
  maxBodyBytes: 1024 ** 2,
  // The most expensive text takes almost a second of a full CPU: this rate keeps fewer than ten of them busy.
  throttle: { rate: 10, burst: 20 },
  reserved: 20,
  produces: ['text/html', 'application/json'],
  failures: ['too_complex'],
  memory: 1769,
  headers: {
    'cache-control': 'no-store',
    'content-security-policy': "sandbox; default-src 'none'; img-src http: https: data:",
    vary: 'Accept',
    'x-content-type-options': 'nosniff',
  },
  body: () =>
    z.strictObject({
      painput: z.string(),
      patype: z.optional(z.literal('markdown', 'Must be markdown')),
    }),
  response: () => z.union([z.string(), z.strictObject({ html: z.string() })]),
} as const satisfies Contract;

export const texts = {
  description: [
    'Renders GitHub-flavoured Markdown as HTML, with ids of headings and alerts.',
    'Ids, and links to them, begin with `user-content-`: none meets one of the page around.',
    'An allow-list removes scripts, styles, frames and forms.',
    'Clients that prefer JSON get `{"html"}`.',
  ],
  body: {
    name: 'Markdown',
    fields: {
      painput: 'Markdown, GitHub-flavoured',
      patype: 'Type of `painput`; `markdown` by default',
    },
  },
  response: {
    fields: { html: 'Sanitised HTML' },
  },
} as const satisfies Texts;
