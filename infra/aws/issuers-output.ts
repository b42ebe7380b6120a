import { issuersIn } from '#lib/trust/issuers';

/** The issuers of a stack for operator commands, without their keys: an output has little room. */
export const issuersOutput = (text: string): string =>
  JSON.stringify(issuersIn(text).map(({ jwks: _, ...issuer }) => issuer));
