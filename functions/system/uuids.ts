import { endpoint } from '#lib/http/endpoint';
import { uuids } from '#lib/system/contracts';
import { sqlServerUuids } from '#lib/system/uuid';

/** One generator an execution environment: each of its UUIDs sorts after those before it. */
const generate = sqlServerUuids();

/** Answers `n` UUIDs in the order of their creation. */
export const handler = endpoint(uuids, ({ query }) => generate(Number(query.n)));
