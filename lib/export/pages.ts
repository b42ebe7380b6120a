import { Failure } from '../failure/failure.ts';
import type { Runtime } from '../runtime.ts';
import { exportPagesKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { ConditionFailed, update } from '../table/write.ts';
import { isoOf, MINUTE_MS } from '../time.ts';

/** Pages that a credential may export in a minute. */
export const PAGES_A_MINUTE = 10;

/** A refused page changes nothing that a condition on the caller would protect. */
const unguarded = ({ guard: _, ...table }: Table): Table => table;

/**
 * Counts a page of a credential, in one write.
 *
 * @throws Failure `too_many_requests`
 */
export async function countPage(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  username: string,
  credential: string,
): Promise<void> {
  const time = now();
  const end = (Math.floor(time / MINUTE_MS) + 1) * MINUTE_MS;
  const failed = await update(unguarded(table), {
    Key: exportPagesKey(username, credential, isoOf(time).slice(0, 16)),
    UpdateExpression: 'ADD #pages :one SET #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(#pages) OR #pages < :max',
    ExpressionAttributeNames: { '#pages': 'pages', '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':one': 1, ':ttl': end / 1000, ':max': PAGES_A_MINUTE },
  });
  if (failed instanceof ConditionFailed)
    throw new Failure('too_many_requests', {
      retryAfter: Math.max(1, Math.ceil((end - time) / 1000)),
      limit: { name: 'export', quota: PAGES_A_MINUTE, windowSeconds: MINUTE_MS / 1000 },
    });
}
