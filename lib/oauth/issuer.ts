import type { Settings } from '../instance/settings.ts';

/** The issuer of this instance (RFC 8414 section 2): the origin at which its API is served. */
export const issuerOf = ({ Issuer, ApiUrl }: Pick<Settings, 'Issuer' | 'ApiUrl'>): string =>
  Issuer || new URL(ApiUrl || 'http://localhost').origin;
