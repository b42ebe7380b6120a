/** COSE identifiers of the accepted signatures, the preferred one first: EdDSA, ES256, RS256 (every current device has one). */
export const ALGORITHMS = [-8, -7, -257] as const;
