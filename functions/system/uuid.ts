import { endpoint } from '#lib/http/endpoint';
import { uuid } from '#lib/system/contracts';
import { sqlServerUuids } from '#lib/system/uuid';

/** One generator an execution environment: each of its UUIDs sorts after those before it. */
const generate = sqlServerUuids();

/** Answers one UUID, as a JSON string. */
export const handler = endpoint(uuid, () => generate(1)[0]);
