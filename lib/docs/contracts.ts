import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';

export const openapi = {
  id: 'docs.openapi',
  summary: 'All of this as an OpenAPI 3.1 document',
  method: 'GET',
  path: '/api/core/openapi.json',
  access: 'public',
  needs: [],
  failures: ['docs_not_found'],
  compress: true,
  revalidated: true,
  // It changes with a deployment only, and is asked for again by its ETag.
  headers: { 'cache-control': 'public, max-age=300' },
  response: () =>
    z.looseObject({
      openapi: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.looseObject({}),
      components: z.looseObject({}),
    }),
} as const satisfies Contract;
