import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { contract } from '#lib/team/create.contract';
import { createTeam } from '#lib/team/team';

/** Creates a team. */
export const handler = endpoint(
  contract,
  ({ actor, params, body }, runtime) =>
    createTeam(runtime, { ...params, ...body }, { publish: runtime.publish, actor }),
  { publish: publisherFromEnvironment },
);
