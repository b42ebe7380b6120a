import { openEndpoint } from '#lib/handler/open-endpoint';
import { protectedResource } from '#lib/oauth/metadata';
import { contract } from '#lib/oauth/resource.contract';

/** Answers who issues tokens for this API (RFC 9728). */
export const handler = openEndpoint(contract, ({ event }, settings) =>
  protectedResource(settings, event.rawPath),
);
