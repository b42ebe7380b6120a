import { endpoint } from '#lib/handler/endpoint';
import { jwks } from '#lib/system/contracts';
import { publicKeySet } from '#lib/system/jwks';

/**
 * Publishes the keys that verify session tokens.
 *
 * One query, of as many items as there are keys; clients may keep the answer for five minutes.
 */
export const handler = endpoint(jwks, (_request, runtime) => publicKeySet(runtime));
