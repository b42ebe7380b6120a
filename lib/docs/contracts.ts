import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';

export const openapi = {
  id: 'docs.openapi',
  summary: 'Read the OpenAPI document',
  method: 'GET',
  path: '/api/core/openapi.json',
  access: 'public',
  needs: [],
  failures: ['docs_not_found'],
  compress: true,
  revalidated: true,
  // Changes with a deployment only; clients revalidate it by its ETag.
  headers: { 'cache-control': 'public, max-age=300' },
  response: () =>
    z.looseObject({
      openapi: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.looseObject({}),
      components: z.looseObject({}),
    }),
} as const satisfies Contract;

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

export const page = {
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

export const script = {
  id: 'docs.script',
  summary: 'Load the script of the documentation page',
  method: 'GET',
  path: '/api/core/docs/{script}',
  access: 'public',
  needs: [],
  forPeople: true,
  params: () => z.strictObject({ script: z.string() }),
  failures: ['docs_not_found'],
  compress: true,
  produces: ['text/javascript'],
  // The name of the script changes with its content.
  headers: {
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  },
  // 1.2 MB each; a browser requests it once.
  throttle: { rate: 10, burst: 20 },
  response: () => z.string(),
} as const satisfies Contract;
