import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { create } from '#lib/team/contracts';
import { createTeam } from '#lib/team/team';

/** Creates a team. */
export const handler = endpoint(
  create,
  ({ actor, params, body }, runtime) =>
    createTeam(runtime, { ...params, ...body }, { publish: runtime.publish, actor }),
  { publish: publisherFromEnvironment },
);
