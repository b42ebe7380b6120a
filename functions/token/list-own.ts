import { endpoint } from '#lib/handler/endpoint';
import { listOwn } from '#lib/token/contracts';
import { listTokens } from '#lib/token/list';

/** Lists the caller's own tokens by name, without their secrets. */
export const handler = endpoint(listOwn, ({ caller }, runtime) => listTokens(runtime, caller));
