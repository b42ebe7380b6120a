import type { Settings } from './settings.ts';

type Origins = Pick<Settings, 'Issuer' | 'ApiUrl'>;

/** The issuer of this instance (RFC 8414 section 2): the origin at which its API is served. */
export const issuerOf = ({ Issuer, ApiUrl }: Origins): string =>
  Issuer || new URL(ApiUrl || 'http://localhost').origin;

/** Path of the metadata of this API as a protected resource (RFC 9728). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** URL of the metadata that a refused credential is told. Every bundle has it, and none the path of the contract. */
export const resourceMetadataOf = (settings: Origins): string =>
  `${issuerOf(settings)}/.well-known/oauth-protected-resource`;
