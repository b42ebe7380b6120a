import { endpoint } from '#lib/handler/endpoint';
import { publicKeySet } from '#lib/system/jwks';
import { contract } from '#lib/system/jwks.contract';

/** Answers the public keys that verify session tokens. */
export const handler = endpoint(contract, (_request, runtime) => publicKeySet(runtime));
