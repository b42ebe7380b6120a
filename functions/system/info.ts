import { endpoint } from '#lib/handler/endpoint';
import { systemInformation } from '#lib/system/info';
import { contract } from '#lib/system/info.contract';

/** Answers properties of the instance and its caller. Obsolete: the profile has the same. */
export const handler = endpoint(contract, ({ caller, query }, runtime) =>
  systemInformation(caller, runtime, query.setup ?? false),
);
