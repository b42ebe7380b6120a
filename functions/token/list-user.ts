import { endpoint } from '#lib/handler/endpoint';
import { listUser } from '#lib/token/contracts';
import { listTokens } from '#lib/token/list';

/** Lists the tokens of an account by name, without their secrets. */
export const handler = endpoint(listUser, ({ accounts: [owner] }, runtime) => listTokens(runtime, owner));
