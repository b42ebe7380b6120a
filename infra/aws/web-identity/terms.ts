/**
 * Terms of the tokens that a role asks AWS for: a role may ask for no others. A token is exchanged at once, so that it has
 * the shortest lifetime of AWS. Every verifier knows RS256.
 *
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetWebIdentityToken.html
 */
export const TERMS = { SigningAlgorithm: 'RS256', DurationSeconds: 60 } as const;
