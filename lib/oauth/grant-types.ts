/** Grants of the token endpoint (RFC 6749, 8693, 7523), by what they take. */
export const GRANT_TYPES = {
  client: 'client_credentials',
  exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  assertion: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
} as const;

const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:';

/** Types of tokens (RFC 8693 section 3). */
export const TOKEN_TYPES = {
  access: `${TOKEN_TYPE}access_token`,
  jwt: `${TOKEN_TYPE}jwt`,
  id: `${TOKEN_TYPE}id_token`,
} as const;
