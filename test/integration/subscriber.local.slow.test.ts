import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, test, vi } from 'vitest';
import { openTarget } from '../../infra/admin/target.ts';
import { readEvents } from '../../infra/local/services/event-bus/event-file.ts';
import { openPosts } from '../unit/local/posts.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { json } from './operator.ts';

const ENTRIES = 5;

/** Whether the subscriber does not receive an event. */
const isOther = (id: string) => id.endsWith('eve');

test('no acknowledged event is lost when the instance is killed, and a replay sends those that match', async () => {
  const data = newFolder();
  const { received, events, url, close } = await openPosts();
  const pattern = '{"detail":{"username":["ada"]}}';
  const args = ['--no-demo', '--memory', '--subscribe', url, '--pattern', pattern];
  const acknowledged: string[] = [];
  const open = async () => {
    const instance = await startInstance({ data, args });
    const { eventBus } = await openTarget({ data });
    const bus = new EventBridgeClient({ maxAttempts: 1 });
    const put = async (call: string) => {
      const ids = Array.from({ length: ENTRIES }, (_, n) => `${call}-${n}`);
      const Entries = [`${call}-eve`, ...ids].map((id) => ({
        EventBusName: eventBus,
        Source: 'core.account',
        DetailType: 'user_cancel',
        Detail: JSON.stringify({ id, username: isOther(id) ? 'eve' : 'ada' }),
      }));
      await bus.send(new PutEventsCommand({ Entries }));
      acknowledged.push(...ids);
    };
    return { instance, bus, put };
  };

  for (const round of [0, 1]) {
    const { instance, bus, put } = await open();
    const before = acknowledged.length;
    const calls = Promise.allSettled(Array.from({ length: 200 }, (_, n) => put(`${round}-${n}`)));
    await vi.waitUntil(() => acknowledged.length > before, { timeout: 60_000, interval: 1 });
    await instance.kill();
    await calls;
    bus.destroy();
    // A loss of power may leave such a line.
    await writeFile(join(data, 'events.jsonl'), '{"version":"0","id', { flag: 'a' });
  }

  const { bus, put } = await open();
  await put('last');
  bus.destroy();
  const ids = (await readEvents(join(data, 'events.jsonl'))).map(
    ({ detail }) => (detail as { id: string }).id,
  );
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(ids).size, 'each once').toBe(ids.length);

  await vi.waitUntil(() => received.has(`last-${ENTRIES - 1}`), { timeout: 60_000 });
  received.clear();
  const matching = ids.filter((id) => !isOther(id));
  const { answer } = await json(['events', 'replay', '--since', '1h'], '', ['--data', data]);
  expect(answer).toMatchObject({ sent: matching.length });
  expect(received).toEqual(new Set(matching));
  expect(events.filter(({ detail }) => isOther((detail as { id: string }).id))).toEqual([]);
  await close();
});
