import { endpoint } from '#lib/handler/endpoint';
import { jwks } from '#lib/system/contracts';
import { publicKeySet } from '#lib/system/jwks';

/**
 * Answers the public keys that verify session tokens.
 *
 * One query with an item for each key; clients may cache the answer for five minutes.
 */
export const handler = endpoint(jwks, (_request, runtime) => publicKeySet(runtime));
