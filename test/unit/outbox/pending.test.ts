import { expect, test } from 'vitest';
import { changeBy } from '#lib/outbox/announcement';
import { pending } from '#lib/outbox/contracts';
import { listPending, pendingEventSchema } from '#lib/outbox/outbox';
import { outboxKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { errorsOf } from '../support/errors-of.ts';
import { eventItem, uuidOf } from '../support/items.ts';

const { table, runtime, operations, wire } = await openTestTable();

test('listPending lists events, oldest first, without their details, one query a page', async () => {
  const detail = JSON.stringify({ username: 'Ada', roles: ['r'] });
  // An event of a function whose clock is ahead.
  const waiting = { ...eventItem(1), createdAt: NOON + 1500, detail };
  const poison = { ...eventItem(2), createdAt: NOON - 90_500, setAsideAt: NOON, detail: '{}' };
  for (const event of [poison, waiting]) await put(table, outboxKey(event.id), event);
  wire.reset();
  const { items, next_cursor } = await listPending(runtime, { limit: 1 });
  expect(items).toEqual([
    {
      id: waiting.id,
      type: waiting.detailType,
      username: 'Ada',
      created_at: new Date(waiting.createdAt).toISOString(),
      age_seconds: 0,
      state: 'pending',
    },
  ]);
  expect(errorsOf(pendingEventSchema(), items[0])).toEqual([]);
  const second = await listPending(runtime, { limit: 1, cursor: next_cursor });
  expect(second.items).toMatchObject([
    { id: uuidOf(2), username: null, age_seconds: 90, state: 'set-aside' },
  ]);
  expect(await listPending(runtime, { cursor: second.next_cursor })).toEqual({ items: [] });
  expect(operations()).toEqual(['Query', 'Query', 'Query']);
  expect(errorsOf(pending.query(), { cursor: next_cursor })).toEqual([]);
});

test('the IDs of events, by which the outbox is sorted, sort by the millisecond of their creation', () => {
  const changes = Array.from({ length: 50_000 }, () => changeBy({ ...runtime, now: Date.now }, by('ada')));
  const times = changes.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  expect(times.at(-1)).toBeGreaterThan(times[0] as number);
});
