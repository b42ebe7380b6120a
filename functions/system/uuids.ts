import { endpoint } from '#lib/handler/endpoint';
import { uuids } from '#lib/system/contracts';
import { sqlServerUuids } from '#lib/system/uuid';

/** One for the execution environment, so that each UUID sorts after those before it. */
const generate = sqlServerUuids();

/** Generates `n` UUIDs in the sort order of SQL Server. */
export const handler = endpoint(uuids, ({ query }) => generate(query.n));
