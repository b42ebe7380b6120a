import { endpoint } from '#lib/handler/endpoint';
import { create } from '#lib/team/contracts';
import { createTeam } from '#lib/team/team';

/** Creates a team. */
export const handler = endpoint(create, ({ params, body }, runtime) =>
  createTeam(runtime, { ...params, ...body }),
);
