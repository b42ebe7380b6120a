import { Answer } from '#lib/contract/answer';
import { endpoint } from '#lib/handler/endpoint';
import { publisherFromEnvironment } from '#lib/outbox/publisher';
import { renameTeam } from '#lib/team/rename';
import { contract } from '#lib/team/rename.contract';

/** Gives a team another name. */
export const handler = endpoint(
  contract,
  async ({ actor, params, body }, runtime) => {
    const renamed = await renameTeam(runtime, { ...params, ...body }, actor);
    return new Answer(renamed, { changed: renamed.changed });
  },
  { publish: publisherFromEnvironment },
);
