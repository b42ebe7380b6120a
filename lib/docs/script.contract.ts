import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';

export const contract = {
  id: 'docs.script',
  summary: 'Load the script of the documentation page',
  method: 'GET',
  path: '/api/core/docs/{script}',
  access: 'public',
  needs: [],
  forPeople: true,
  params: () => z.strictObject({ script: z.string() }),
  failures: ['docs_not_found'],
  produces: ['text/javascript'],
  // The name of the script changes with its content.
  headers: {
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  },
  // A browser requests it once for each version. At 2 a second, strangers would cost over $20 a day: `infra/cost`.
  throttle: { rate: 1, burst: 30 },
  response: () => z.string(),
} as const satisfies Contract;
