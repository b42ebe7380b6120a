import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { AGAIN, retry } from '#lib/retry';
import { forEach, type Progress, patiently } from '#lib/table/bulk';
import type { Key } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { put, type TransactWrite, transact } from '#lib/table/write';
import { documentsOf } from '../../document-client.ts';
import { type Member, population } from './population.ts';

/** Items that one BatchWriteItem writes. */
const BATCH = 25;
/** Accounts that are made at a time: about a batch of items. */
const AT_A_TIME = 15;
const CHUNK = 1000;
/** Writes of a transaction, besides that of the checkpoint: half of what it may have, as in an import. */
const MAX_WRITES = 49;

/** How far a fill has come. */
interface Reached {
  /** So many accounts are there, and counted. */
  readonly accounts: number;
  /** Those up to here are there, and so many transactions of their counters are done. */
  readonly until: number;
  readonly part: number;
  /** When the fill began; in milliseconds since the epoch. */
  readonly at: number;
}

interface Options {
  readonly at?: number;
  readonly chunk?: number;
  readonly tell?: (progress: Progress) => void;
}

/** It stands beside what it tells of, in a partition that nothing else reads. */
const CHECKPOINT: Key<Reached> = { PK: 'SCALE', SK: 'CHECKPOINT' };

/**
 * Fills a table until it has so many accounts. Cut off at any moment, the next call goes on and the result is the same: an
 * item that is written twice is the same item, and counters change in the transaction that moves the checkpoint.
 *
 * @param at the time that activity is told from, unless the fill has begun before
 * @param chunk accounts after which the checkpoint moves
 * @param tell how many of those that were missing are there
 */
export async function fill(
  table: Table,
  accounts: number,
  { at = Date.now(), chunk = CHUNK, tell = () => undefined }: Options = {},
): Promise<void> {
  let reached = await checkpoint(table, at);
  const memberOf = population(table, reached.at);
  const before = reached.accounts;
  const done = (to: number) => tell({ done: to - before, total: accounts - before });
  while (reached.accounts < accounts) {
    const { accounts: from, part } = reached;
    const until = part > 0 ? reached.until : Math.min(accounts, from + chunk);
    const counts = await writeItems(table, memberOf, from, until, done);
    reached = await moveOn(table, { ...reached, until }, counts);
  }
}

async function checkpoint(table: Table, at: number): Promise<Reached> {
  const begun = await get(table, CHECKPOINT);
  if (begun) return begun;
  const first = { accounts: 0, until: 0, part: 0, at };
  await put(table, CHECKPOINT, first);
  return first;
}

/** Writes the accounts `from` to `until`. @returns what counts them */
async function writeItems(
  table: Table,
  memberOf: (n: number) => Member,
  from: number,
  until: number,
  tell: (done: number) => void,
): Promise<TransactWrite[]> {
  const starts = Array.from(
    { length: Math.ceil((until - from) / AT_A_TIME) },
    (_, n) => from + n * AT_A_TIME,
  );
  const counts: TransactWrite[] = [];
  let done = from;
  await forEach(starts, async (start) => {
    const size = Math.min(AT_A_TIME, until - start);
    const members = Array.from({ length: size }, (_, n) => memberOf(start + n));
    counts.push(...members.flatMap((member) => member.counts));
    const items = members.flatMap((member) => member.items);
    for (let first = 0; first < items.length; first += BATCH)
      await patiently(() => putAll(table, items.slice(first, first + BATCH)));
    done += size;
    tell(done);
  });
  return counts;
}

async function putAll(table: Table, items: readonly object[]): Promise<void> {
  let pending: NonNullable<BatchWriteCommand['input']['RequestItems']>[string] = items.map((Item) => ({
    PutRequest: { Item: Item as Record<string, unknown> },
  }));
  await retry(async () => {
    const { UnprocessedItems } = await documentsOf(table).send(
      new BatchWriteCommand({ RequestItems: { [table.name]: pending } }),
    );
    pending = UnprocessedItems?.[table.name] ?? [];
    return pending.length > 0 ? AGAIN : undefined;
  });
}

/** Counts what was written, and moves the checkpoint over it. */
async function moveOn(table: Table, from: Reached, counts: readonly TransactWrite[]): Promise<Reached> {
  const all = summed(counts);
  const parts = Array.from({ length: Math.ceil(all.length / MAX_WRITES) }, (_, n) =>
    all.slice(n * MAX_WRITES, (n + 1) * MAX_WRITES),
  );
  let before = from;
  for (const [n, part] of parts.entries()) {
    if (n < from.part) continue;
    const isLast = n === parts.length - 1;
    const next = isLast ? { ...from, accounts: from.until, part: 0 } : { ...from, part: n + 1 };
    await patiently(() => step(table, before, next, part));
    before = next;
  }
  return before;
}

/** @throws Error where another fill of the same table is under way */
async function step(table: Table, before: Reached, next: Reached, counts: readonly TransactWrite[]) {
  const Update = {
    Key: CHECKPOINT,
    UpdateExpression: 'SET accounts = :next, #until = :until, #part = :nextPart',
    ConditionExpression: 'accounts = :accounts AND #part = :part',
    ExpressionAttributeNames: { '#until': 'until', '#part': 'part' },
    ExpressionAttributeValues: {
      ':accounts': before.accounts,
      ':part': before.part,
      ':next': next.accounts,
      ':nextPart': next.part,
      ':until': next.until,
    },
  };
  const failed = await transact<Reached>(table, [{ Update }, ...counts]);
  // The answer of the same transaction was lost, and it was sent again.
  const isDone = failed?.item?.accounts === next.accounts && failed.item.part === next.part;
  if (failed && !isDone) throw new Error('Another fill of this table is under way');
}

type Attributes = Record<string, unknown>;

/** One write for each item of counters, in place of one for each account: a transaction may change an item once. */
export function summed(counts: readonly TransactWrite[]): TransactWrite[] {
  const items = new Map<string, { Key: Attributes; sums: Map<string, number> }>();
  for (const { Update } of counts) {
    const {
      Key = {},
      UpdateExpression = '',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues,
    } = Update ?? {};
    const item = items.get(JSON.stringify(Key)) ?? { Key, sums: new Map() };
    items.set(JSON.stringify(Key), item);
    for (const [, name = '', value = ''] of UpdateExpression.matchAll(/(#?\w+) (:\w+)/g)) {
      const counter = names?.[name] ?? name;
      item.sums.set(counter, (item.sums.get(counter) ?? 0) + ExpressionAttributeValues?.[value]);
    }
  }
  return [...items.keys()].sort().map((key) => {
    const { Key, sums } = items.get(key) as { Key: Attributes; sums: Map<string, number> };
    const entries = [...sums];
    return {
      Update: {
        Key,
        UpdateExpression: `ADD ${entries.map((_, n) => `#${n} :${n}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(entries.map(([counter], n) => [`#${n}`, counter])),
        ExpressionAttributeValues: Object.fromEntries(entries.map(([, by], n) => [`:${n}`, by])),
      },
    };
  });
}
