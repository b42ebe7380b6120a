import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';

/** The page may run the script of this origin and send requests to this origin. Its renderer sets styles inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  // HTML answers are shown in a frame without scripts, under the same policy.
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const contract = {
  id: 'docs.page',
  summary: 'Open the documentation page',
  method: 'GET',
  path: '/api/core/docs',
  aliases: ['/', '/api/core'],
  access: 'public',
  needs: [],
  forPeople: true,
  failures: ['docs_not_found'],
  revalidated: true,
  throttle: { rate: 50, burst: 100 },
  produces: ['text/html'],
  headers: {
    // The page names the script of its deployment, which the next deployment does not have.
    'cache-control': 'no-cache',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  response: () => z.string(),
} as const satisfies Contract;
