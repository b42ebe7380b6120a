import { endpoint } from '#lib/handler/endpoint';
import { contract } from '#lib/team/browse.contract';
import { browseTeams } from '#lib/team/team';

/** Lists the teams by short name. */
export const handler = endpoint(contract, ({ query }, { table }) => browseTeams(table, query));
