import { afterEach, expect, inject, test } from 'vitest';
import { outboxKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { json, run } from './operator.ts';
import { target } from './service.ts';

const id = 'an-event-of-the-doctor';
afterEach(async () => remove((await target()).runtime.table, outboxKey(id)));

const own = inject('stack') === undefined ? ['service'] : ['outputs'];

test('an instance that is well is said to be so, a line a check', async () => {
  const { code, answer } = await json(['doctor']);
  expect(code, JSON.stringify(answer)).toBe(0);
  const checks = ['status', 'key_schema', 'index_GSI1', 'time_to_live', 'signing_key', 'clock'];
  expect(answer.map(({ check }: { check: string }) => check)).toEqual(
    expect.arrayContaining([...checks, 'pending_events', 'settings', 'password_cost', ...own]),
  );
  expect(answer.filter(({ state }: { state: string }) => !['ok', 'unknown'].includes(state))).toEqual([]);
});

test('what is wrong is told with what to do, and the exit status is 1', async () => {
  const { table } = (await target()).runtime;
  const createdAt = Date.now() - 86_400_000;
  const event = {
    id,
    detailType: 'test',
    createdAt,
    setAsideAt: Date.now(),
    attempts: 9,
    lastError: 'Denied',
  };
  await put(table, outboxKey(id), { ...event, detail: '{}' });
  const { code, stderr } = await run(['doctor']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^wrong +pending_events +.*\(Denied\).*"events publish"/m);
  expect(stderr).toMatch(/^ok +signing_key/m);
  expect((await json(['doctor'])).answer).toMatchObject({
    code: 'unhealthy',
    errors: [{ field: 'pending_events' }],
  });
});
