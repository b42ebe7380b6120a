import { endpoint } from '#lib/handler/endpoint';
import { browse } from '#lib/team/contracts';
import { browseTeams } from '#lib/team/team';

/** Lists the teams by short name. */
export const handler = endpoint(browse, ({ query }, { table }) => browseTeams(table, query));
