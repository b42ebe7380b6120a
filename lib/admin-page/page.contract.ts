import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { LANGUAGES } from './languages.ts';

/** The page has scripts and styles of its own only, and makes no markup from text. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export const contract = {
  id: 'admin.page',
  summary: "Open the administrator's page",
  method: 'GET',
  path: '/api/core/admin/{file?}',
  access: 'public',
  needs: [],
  forPeople: true,
  params: () => z.strictObject({ file: z.optional(z.string()) }),
  // Links to pages get parameters from other programs, and another language is none.
  query: () => z.object({ language: z.catch(z.optional(z.enum(LANGUAGES)), undefined) }),
  failures: ['admin_page_not_found'],
  revalidated: true,
  throttle: { rate: 25, burst: 100 },
  produces: ['text/html', 'text/javascript', 'text/css'],
  headers: {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  response: () => z.string(),
} as const satisfies Contract;
