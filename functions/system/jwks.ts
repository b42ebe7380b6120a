import { endpoint } from '#lib/handler/endpoint';
import { jwks } from '#lib/system/contracts';
import { publicKeySet } from '#lib/system/jwks';

/** Answers the public keys that verify session tokens. */
export const handler = endpoint(jwks, (_request, runtime) => publicKeySet(runtime));
