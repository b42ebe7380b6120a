import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'docs.openapi',
  summary: 'Read the OpenAPI document',
  method: 'GET',
  path: '/api/core/openapi.json',
  access: 'public',
  needs: [],
  failures: ['docs_not_found'],
  compress: true,
  revalidated: true,
  throttle: { rate: 5, burst: 50 },
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

export const texts = {
  description: [
    'Returns this document.',
    'It changes only with a deployment: revalidate it with `If-None-Match`.',
    '`Settings:Docs` turns it off.',
  ],
  response: {
    fields: {
      openapi: 'Version of OpenAPI',
      info: 'Title, version and introduction',
      title: 'Name of the service',
      version: 'Version of the API',
      paths: 'Endpoints',
      components: 'Schemas, responses and security schemes',
    },
  },
} as const satisfies Texts;
