import { inParallel } from '#lib/async/in-parallel';
import type { FailureCode } from '#lib/failure/codes';
import { Failure } from '#lib/failure/failure';
import { isIdLike } from '#lib/item/erasure';
import { isOutage } from '#lib/network/aws';
import { counterKey, SHARDS } from '#lib/table/keys';
import { Refusal } from '../refusal.ts';
import { BATCH, type Writer, writeBatch } from './batch.ts';
import type { Entry, Fault } from './entry.ts';

export interface Summary {
  created: number;
  existing: number;
  failed: number;
}

/** Accounts that are read before they are written: about three batches a shard. */
export const CHUNK = 1000;

/**
 * Creates all accounts that do not exist yet, all shards of the directory in parallel. Each shard has one transaction at a
 * time, since transactions on the same counters collide. A lasting outage ends it; the next call creates the rest.
 */
export async function writeAccounts(
  writer: Writer,
  entries: AsyncIterable<Entry>,
  progress: { done(summary: Summary): void; failed(fault: Fault & Pick<Entry, 'source'>): void },
): Promise<Summary> {
  const summary: Summary = { created: 0, existing: 0, failed: 0 };

  const write = async (batch: readonly Entry[]): Promise<void> => {
    try {
      const { created, existing } = await writeBatch(writer, batch);
      summary.created += created;
      summary.existing += existing;
    } catch (error) {
      const isOfOne = error instanceof Failure && OF_ONE.includes(error.code);
      if (isOutage(error) || (error instanceof Failure && !isOfOne) || error instanceof Refusal) throw error;
      const [first, ...others] = batch as [Entry, ...Entry[]];
      if (others.length > 0) for (const each of batch) await write([each]);
      else {
        summary.failed += 1;
        const { name, message } = isOfOne ? faultOf(error) : (error as Error);
        await writer.record([{ target: first.draft.username, outcome: name, changed: false }]);
        writer.report?.(first, 'failed');
        const errors = (error instanceof Failure && error.errors) || [{ field: '', message }];
        progress.failed({ source: first.source, line: first.line, errors });
      }
    }
    progress.done(summary);
  };

  // The owner of a machine may be a person further down in the file.
  const machines: Entry[] = [];
  for await (const each of inChunks(entries, CHUNK)) {
    const chunk = each.filter(({ draft }) => draft.kind !== 'machine');
    machines.push(...each.filter(({ draft }) => draft.kind === 'machine'));
    const shards = Map.groupBy(chunk, ({ draft }) => counterKey('COUNT', draft.username).SK);
    const writeShard = async (own: readonly Entry[]) => {
      // Two locks with an end may share a counter, which a transaction can update only once. A name of the form of an ID has one
      // more condition than a batch has room for.
      const isAlone = ({ lockoutend, draft }: Entry) => lockoutend !== undefined || isIdLike(draft.username);
      const alone = own.filter(isAlone);
      const others = own.filter((entry) => !isAlone(entry));
      for await (const batch of inChunks(others, BATCH)) await write(batch);
      for (const one of alone) await write([one]);
    };
    await inParallel([...shards.values()], writeShard, SHARDS);
  }
  for (const machine of machines) await write([machine]);
  return summary;
}

/** Failures of one account of a batch. */
const OF_ONE: readonly FailureCode[] = ['account_erased', 'invalid_request', 'team_not_found'];

const faultOf = ({ code: name, message, advice = '' }: Failure) => ({
  name,
  message: `${message} ${advice}`.trim(),
});

export async function* inChunks<T>(items: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
