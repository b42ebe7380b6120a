import { endpoint } from '#lib/handler/endpoint';
import { uuid } from '#lib/system/contracts';
import { sqlServerUuids } from '#lib/system/uuid';

/** One for the execution environment, so that each UUID sorts after those before it. */
const generate = sqlServerUuids();

/** Generates a UUID. */
export const handler = endpoint(uuid, () => generate(1)[0] as string);
