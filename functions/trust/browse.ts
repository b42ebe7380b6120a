import { endpoint } from '#lib/handler/endpoint';
import { contract } from '#lib/trust/browse.contract';
import { browseTrusts } from '#lib/trust/list';

/** Lists trusts by machine, then name. */
export const handler = endpoint(contract, ({ query }, runtime) => browseTrusts(runtime.table, query));
