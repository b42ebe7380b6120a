import { endpoint } from '#lib/handler/endpoint';
import { sqlServerUuids } from '#lib/system/uuid';
import { contract } from '#lib/system/uuids.contract';

/** One for the execution environment, so that each UUID sorts after those before it. */
const generate = sqlServerUuids();

/** Generates `n` UUIDs in the sort order of SQL Server. */
export const handler = endpoint(contract, ({ query }) => generate(query.n));
