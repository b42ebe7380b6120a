import { issuerOf, RESOURCE_METADATA } from '../instance/issuer.ts';
import type { Settings } from '../instance/settings.ts';
import { GRANT_TYPES } from './grant-types.ts';

type Origins = Pick<Settings, 'Issuer' | 'ApiUrl'>;

const BASE = '/api/core';
/** Path of the contract, which the metadata need not contain. */
const JWKS = '/.well-known/jwks.json';

/** The metadata of the token endpoint (RFC 8414 section 2). */
export function authorizationServer(settings: Origins) {
  const issuer = issuerOf(settings);
  const at = (path: string) => `${issuer}${BASE}/${path}`;
  return {
    issuer,
    jwks_uri: `${issuer}${JWKS}`,
    token_endpoint: at('oauth/token'),
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint: at('oauth/introspect'),
    introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
    revocation_endpoint: at('oauth/revoke'),
    revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
    grant_types_supported: Object.values(GRANT_TYPES),
    // Nobody is sent here to log in, and no ID token is issued.
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    service_documentation: at('docs'),
  };
}

/** The metadata of this API (RFC 9728 section 2). @param path of the request, which ends in that of the resource */
export function protectedResource(settings: Origins, path: string) {
  const issuer = issuerOf(settings);
  return {
    resource: `${issuer}${path.slice(path.indexOf(RESOURCE_METADATA) + RESOURCE_METADATA.length)}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    resource_documentation: `${issuer}${BASE}/docs`,
  };
}
