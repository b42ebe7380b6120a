import { endpoint } from '#lib/handler/endpoint';
import { listTokens } from '#lib/token/list';
import { contract } from '#lib/token/list-user.contract';

/** Lists the tokens of an account by name, without their secrets. */
export const handler = endpoint(contract, ({ accounts: [owner] }, runtime) => listTokens(runtime, owner));
