import { endpoint } from '#lib/handler/endpoint';
import { issuerOf } from '#lib/instance/issuer';
import { contract } from '#lib/trust/browse.contract';
import { issuersFromEnvironment } from '#lib/trust/issuers';
import { knownIssuers } from '#lib/trust/known-issuer';
import { browseTrusts } from '#lib/trust/list';

/** Lists trusts by machine, then name, with the issuers that new ones can name. */
export const handler = endpoint(contract, async ({ query }, { table, settings }) => ({
  ...(await browseTrusts(table, query)),
  issuers: knownIssuers(issuersFromEnvironment(settings), issuerOf(settings)),
}));
