import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { deleteTeam } from '#lib/team/delete';
import { contract } from '#lib/team/delete.contract';

/** Deletes a team, and lets another one take its members. */
export const handler = endpoint(
  contract,
  ({ actor, params, body }, runtime) => deleteTeam(runtime, { ...params, ...body }, actor),
  { publish: publisherFromEnvironment, stepUp },
);
