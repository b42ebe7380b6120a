import { job } from '#lib/handler/job';
import { followTeams } from '#lib/team/follow';
import { followTeams as definition } from '#lib/team/jobs';

/** Changes the copies of renamed and deleted teams in accounts. */
export const handler = job(definition, (_event, runtime, requestId) => followTeams(runtime, requestId));
