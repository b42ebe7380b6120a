import { isOutage } from '#lib/aws';
import { userCreate } from '#lib/event/user-create';
import { Failure } from '#lib/failure';
import { announce, changeBy } from '#lib/outbox/announcement';
import { counterKey } from '#lib/table/keys';
import { EMPTY, isTooLarge, sizeWith, type Writer, writeBatch } from './batch.ts';
import type { Entry, Fault } from './entry.ts';

/** What became of the accounts of a file. */
export interface Summary {
  created: number;
  existing: number;
  failed: number;
}

/** The accounts of one shard, whose counters no two transactions may change at once. */
interface Lane {
  batch: Entry[];
  size: typeof EMPTY;
  /** The batch before. */
  writing: Promise<void>;
}

/**
 * Makes all accounts that are not there yet: a transaction at a time for each shard of the directory, and all shards
 * at once. The first outage that lasts ends it; the next call makes what is left.
 *
 * @param tell is told of accounts that are done, and of those that cannot be made
 */
export async function writeAccounts(
  writer: Writer,
  entries: AsyncIterable<Entry>,
  tell: { done(summary: Summary): void; failed(fault: Fault): void },
): Promise<Summary> {
  const { runtime, actor } = writer;
  const summary: Summary = { created: 0, existing: 0, failed: 0 };
  const hasEvent = announce(runtime, userCreate, changeBy(runtime, actor), undefined) !== undefined;
  const lanes = new Map<string, Lane>();
  const errors: unknown[] = [];

  const write = async (batch: readonly Entry[]): Promise<void> => {
    // Where one is there, the file has been read before, or a part of it: transactions would be tried in vain.
    const looks = summary.existing > 0 || batch.some(({ draft }) => draft.password !== undefined);
    try {
      const { created, existing } = await writeBatch(writer, batch, looks);
      summary.created += created;
      summary.existing += existing;
    } catch (error) {
      if (isOutage(error) || error instanceof Failure) throw error;
      const [first] = batch as [Entry];
      if (batch.length > 1) for (const each of batch) await write([each]);
      else {
        summary.failed += 1;
        tell.failed({ line: first.line, errors: [{ field: '', message: (error as Error).message }] });
      }
    }
    tell.done(summary);
  };
  const flush = async (lane: Lane) => {
    const { batch } = lane;
    lane.batch = [];
    lane.size = EMPTY;
    await lane.writing;
    if (errors.length > 0) throw errors[0];
    lane.writing = write(batch).catch((error) => void errors.push(error));
  };

  try {
    for await (const entry of entries) {
      const shard = counterKey('COUNT', entry.draft.username).SK;
      const lane = lanes.get(shard) ?? { batch: [], size: EMPTY, writing: Promise.resolve() };
      lanes.set(shard, lane);
      if (isTooLarge(sizeWith(lane.size, entry, hasEvent))) await flush(lane);
      lane.batch.push(entry);
      lane.size = sizeWith(lane.size, entry, hasEvent);
    }
    for (const lane of lanes.values()) if (lane.batch.length > 0) await flush(lane);
  } finally {
    await Promise.all([...lanes.values()].map(({ writing }) => writing));
  }
  if (errors.length > 0) throw errors[0];
  return summary;
}
