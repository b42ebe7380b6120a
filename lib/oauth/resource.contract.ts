import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { RESOURCE_METADATA } from '../instance/issuer.ts';
import type { Texts } from '../texts.ts';
import { WELL_KNOWN } from './well-known.ts';

/** RFC 9728. */
export const contract = {
  ...WELL_KNOWN,
  id: 'oauth.resource',
  summary: 'Read the metadata of this API',
  path: RESOURCE_METADATA,
  alsoAt: [`${RESOURCE_METADATA}/api/core`],
  response: () =>
    z.strictObject({
      resource: z.string(),
      authorization_servers: z.array(z.string()),
      bearer_methods_supported: z.array(z.string()),
      resource_documentation: z.string(),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Returns which authorization server issues tokens for this API (RFC 9728): itself. Answers of 401 name this URL.',
    'At `/.well-known/oauth-protected-resource/api/core`, the resource is the one with the path `/api/core`.',
  ],
  response: {
    name: 'ProtectedResource',
    fields: {
      resource: 'URL of this API, with the path that the client asked about',
      authorization_servers: 'Issuers of its tokens',
      bearer_methods_supported: 'Where it takes a token',
      resource_documentation: 'URL of the documentation',
    },
  },
} as const satisfies Texts;
