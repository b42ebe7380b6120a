import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { admin, get, post, target, uniqueName } from './service.ts';

const CANCELS = 1000;
const DROPPED = 10;
const AT_ONCE = 16;

/** Works through a list, some at a time. */
async function all<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The accounts of whose cancellation the bus has told, in the order in which it has. */
async function deliveredIds(prefix: string): Promise<string[]> {
  const text = await readFile(join(inject('data'), 'events.jsonl'), 'utf8');
  const details = text.split('\n').flatMap((line) => (line ? [JSON.parse(line).detail] : []));
  return details.filter(({ username }) => username?.startsWith(prefix)).map(({ userid }) => userid);
}

interface Listed {
  readonly id: string;
  readonly cancelled_at: string;
}

test.skipIf(inject('stack'))(
  'a subscriber who has missed 10 of 1,000 cancellations finds exactly those by their time',
  { timeout: 300_000 },
  async () => {
    const { runtime } = await target();
    const prefix = uniqueName('left');
    const usernames = Array.from({ length: CANCELS }, (_, n) => `${prefix}-${n}`);
    const since = new Date().toISOString();
    const cancelled = new Map<string, string>();
    await all(usernames, async (username) => {
      const { id } = await createAccount(runtime, { username });
      const reply = await post(`/api/core/account/cancel/${username}`, admin);
      expect(reply.status, reply.text).toBe(200);
      cancelled.set(id, reply.body.data.cancelled_at);
    });
    const delivered = await deliveredIds(prefix);
    expect(delivered).toHaveLength(CANCELS);
    const missed = delivered.filter((_, n) => n % (CANCELS / DROPPED) === 7);
    const received = new Set(delivered.filter((id) => !missed.includes(id)));

    const listed: Listed[] = [];
    let cursor = '';
    do {
      const { body } = await get(
        `/api/core/account/browse?cancelled_since=${since}&limit=300${cursor && `&cursor=${cursor}`}`,
        admin,
      );
      listed.push(...body.data.items);
      cursor = body.data.next_cursor ?? '';
    } while (cursor);
    const own = listed.filter(({ id }) => cancelled.has(id));
    expect(own.map(({ cancelled_at }) => cancelled_at)).toEqual([...cancelled.values()].sort());
    const found = own.filter(({ id }) => !received.has(id)).map(({ id }) => id);
    expect(found).toHaveLength(DROPPED);
    expect(found.sort()).toEqual(missed.sort());
  },
);
