import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';
import { WELL_KNOWN } from './well-known.ts';

/** RFC 8414, and OpenID Connect Discovery 1.0 for clients that know only that. */
export const contract = {
  ...WELL_KNOWN,
  id: 'oauth.metadata',
  summary: 'Read the metadata of the token endpoint',
  path: '/.well-known/oauth-authorization-server',
  alsoAt: ['/.well-known/openid-configuration'],
  response: () =>
    z.strictObject({
      issuer: z.string(),
      jwks_uri: z.string(),
      token_endpoint: z.string(),
      token_endpoint_auth_methods_supported: z.array(z.string()),
      introspection_endpoint: z.string(),
      introspection_endpoint_auth_methods_supported: z.array(z.string()),
      revocation_endpoint: z.string(),
      revocation_endpoint_auth_methods_supported: z.array(z.string()),
      grant_types_supported: z.array(z.string()),
      response_types_supported: z.array(z.string()),
      subject_types_supported: z.array(z.string()),
      id_token_signing_alg_values_supported: z.array(z.string()),
      service_documentation: z.string(),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Returns where clients of OAuth 2.0 get tokens, and how (RFC 8414); the same at `/.well-known/openid-configuration`.',
    'There is no authorization endpoint, and there are no ID tokens: people log in by `account/login`.',
  ],
  response: {
    name: 'AuthorizationServer',
    fields: {
      issuer: '`Settings:Issuer`: the origin of this API',
      jwks_uri: 'URL of the keys of tokens for other services',
      token_endpoint: 'URL of `oauth/token`',
      token_endpoint_auth_methods_supported: 'How clients send an API token there; `none` with a trust',
      introspection_endpoint: 'URL of `oauth/introspect`',
      introspection_endpoint_auth_methods_supported: 'How clients send their API token there',
      revocation_endpoint: 'URL of `oauth/revoke`',
      revocation_endpoint_auth_methods_supported: 'How clients send their API token there',
      grant_types_supported: 'Values of `grant_type`',
      response_types_supported: 'None',
      subject_types_supported: 'Required by OpenID Connect',
      id_token_signing_alg_values_supported: 'Required by OpenID Connect',
      service_documentation: 'URL of the documentation',
    },
  },
} as const satisfies Texts;
