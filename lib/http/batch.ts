import * as z from 'zod/mini';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { parse } from '../input/parse.ts';
import type { AuditDetails } from '../item/audit-entry.ts';

/** Maximum of requests in a batch. */
export const MAX_BATCH_SIZE = 10_000;

/** The headers of a batch that any request may carry: its ID, and the number of its requests. */
const batchHeaders = () =>
  z
    .object({
      'x-batch': z.optional(z.uuid().check(z.toLowerCase())),
      'x-batch-size': z.optional(
        z
          .string()
          .check(z.regex(/^([1-9]\d{0,3}|10000)$/, `Must be a whole number from 1 to ${MAX_BATCH_SIZE}`)),
      ),
    })
    .check(
      z.refine(({ 'x-batch': id, 'x-batch-size': size }) => id !== undefined || size === undefined, {
        error: 'Must be sent with x-batch',
        path: ['x-batch-size'],
      }),
    );

type Headers = Pick<GatewayEvent, 'headers'>;

/** Most requests are of no batch: their functions need not create the schema. */
const hasBatch = ({ headers }: Headers) =>
  headers['x-batch'] !== undefined || headers['x-batch-size'] !== undefined;

/** Checks the headers of a batch. @throws Failure `invalid_request` that names each invalid one */
export function checkBatch(event: Headers): void {
  if (hasBatch(event)) parse(batchHeaders(), event.headers);
}

/** The batch of a request as details of its audit entry; none without a valid one, as in a refusal that came before the check. */
export function batchOf(event: Headers): AuditDetails {
  const { 'x-batch': batch, 'x-batch-size': size } =
    (hasBatch(event) && batchHeaders().safeParse(event.headers).data) || {};
  return { ...(batch !== undefined && { batch }), ...(size !== undefined && { batch_size: Number(size) }) };
}
