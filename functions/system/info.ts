import { endpoint } from '#lib/handler/endpoint';
import { info } from '#lib/system/contracts';
import { systemInformation } from '#lib/system/info';

/**
 * Says what the instance is and who calls it. Obsolete: the profile says the same.
 *
 * Nothing is read beyond authentication.
 */
export const handler = endpoint(info, ({ caller, query }, runtime) =>
  systemInformation(caller, runtime, query.setup ?? false),
);
