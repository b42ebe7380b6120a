import { endpoint } from '#lib/handler/endpoint';
import { info } from '#lib/system/contracts';
import { systemInformation } from '#lib/system/info';

/** Answers properties of the instance and its caller. Obsolete: the profile has the same. */
export const handler = endpoint(info, ({ caller, query }, runtime) =>
  systemInformation(caller, runtime, query.setup ?? false),
);
