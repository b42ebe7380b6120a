import { endpoint } from '#lib/http/endpoint';
import { info } from '#lib/system/contracts';
import { systemInformation } from '#lib/system/info';

/** Answers what the instance is and who calls it. Obsolete: the profile says the same. */
export const handler = endpoint(info, ({ caller, query }, runtime) =>
  systemInformation(caller, runtime, query.setup === 'true'),
);
