import { endpoint } from '#lib/handler/endpoint';
import { sqlServerUuids } from '#lib/system/uuid';
import { contract } from '#lib/system/uuid.contract';

/** One for the execution environment, so that each UUID sorts after those before it. */
const generate = sqlServerUuids();

/** Generates a UUID. */
export const handler = endpoint(contract, () => generate(1)[0] as string);
