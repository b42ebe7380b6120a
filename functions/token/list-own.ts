import { endpoint } from '#lib/handler/endpoint';
import { listTokens } from '#lib/token/list';
import { contract } from '#lib/token/list-own.contract';

/** Lists the caller's own tokens by name, without their secrets. */
export const handler = endpoint(contract, ({ caller }, runtime) => listTokens(runtime, caller));
