import { endpoint } from '#lib/handler/endpoint';
import { resourceKeySet } from '#lib/oauth/jwks';
import { contract } from '#lib/oauth/jwks.contract';

/** Answers the public keys that verify tokens for other services (RFC 7517). */
export const handler = endpoint(contract, (_request, runtime) => resourceKeySet(runtime));
