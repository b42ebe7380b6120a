import { appendFileSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { DeliveredEvent } from '#infra/local/services/event-bus/event-file';
import { openEventFile, readEvents } from '#infra/local/services/event-bus/event-file';
import { newFolder } from '../support/folder.ts';

const event = (id: number) => ({ id }) as unknown as DeliveredEvent;
const newPath = () => join(newFolder(), 'events.jsonl');

test('an event file has an acknowledged event on the disk, in the order of the calls', async () => {
  const path = newPath();
  const file = await openEventFile(path);
  const appended = [1, 2, 3].map((n) => file.append([event(n), event(n + 10)]));
  await appended[0];
  expect((await readEvents(path)).slice(0, 2)).toEqual([{ id: 1 }, { id: 11 }]);
  await file.close();
  expect((await readEvents(path)).map(({ id }) => id)).toEqual([1, 11, 2, 12, 3, 13]);
});

test('an event file continues before a line that was cut off', async () => {
  const path = newPath();
  for (const [n, rest] of [
    [1, '{"id":'],
    [2, ''],
  ] as const) {
    const file = await openEventFile(path);
    await file.append([event(n)]);
    await file.close();
    appendFileSync(path, rest);
  }
  expect(readFileSync(path, 'utf8')).toBe('{"id":1}\n{"id":2}\n');
});

test('an event file takes events after some that it could not write', async () => {
  const path = newPath();
  const file = await openEventFile(path);
  await expect(file.append([{ id: 1n } as unknown as DeliveredEvent])).rejects.toThrow('BigInt');
  const handle = await open(path);
  vi.spyOn(Object.getPrototypeOf(handle), 'datasync').mockRejectedValueOnce(new Error('EIO'));
  const [failed, next] = [file.append([event(1)]), file.append([event(2)])];
  await expect(failed).rejects.toThrow('EIO');
  await next;
  await handle.close();
  await file.close();
  expect(await readEvents(path)).toEqual([{ id: 2 }]);
});

test('an event file reads around lines that are no JSON', async () => {
  const path = newPath();
  appendFileSync(path, '{"id":1}\nhello\n{"id":2}\n');
  expect(await readEvents(path)).toEqual([{ id: 1 }, { id: 2 }]);
});
