/** Public key of RFC 7517, appendix A.1. */
const KEY = {
  ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'one' },
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};

/** `Settings:Issuers` of an instance on which the samples succeed; nothing fetches its keys. */
export const ISSUERS = JSON.stringify([
  { name: 'github', issuer: 'https://token.actions.githubusercontent.com', jwks: { keys: [KEY] } },
]);
