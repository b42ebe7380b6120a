import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, test, vi } from 'vitest';
import { openTarget } from '../../infra/admin/target.ts';
import { readEvents } from '../../infra/local/services/event-file.ts';
import { openPosts } from '../unit/local/posts.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { json } from './operator.ts';

const ENTRIES = 5;

test('no acknowledged event is lost when the instance is killed, and a replay sends all to the subscriber', async () => {
  const data = newFolder();
  const { received, url, close } = await openPosts();
  const args = ['--no-demo', '--memory', '--subscribe', url];
  const acknowledged: string[] = [];

  for (const round of [0, 1]) {
    const instance = await startInstance({ data, args });
    const { eventBus } = await openTarget({ data });
    const bus = new EventBridgeClient({ maxAttempts: 1 });
    const put = async (call: number) => {
      const ids = Array.from({ length: ENTRIES }, (_, n) => `${round}-${call}-${n}`);
      const Entries = ids.map((id) => ({
        EventBusName: eventBus,
        Source: 'core.account',
        DetailType: 'user_cancel',
        Detail: JSON.stringify({ id, username: 'ada' }),
      }));
      await bus.send(new PutEventsCommand({ Entries }));
      acknowledged.push(...ids);
    };
    const before = acknowledged.length;
    const calls = Promise.allSettled(Array.from({ length: 200 }, (_, n) => put(n)));
    await vi.waitUntil(() => acknowledged.length > before, { timeout: 60_000, interval: 1 });
    await instance.kill();
    await calls;
    bus.destroy();
    // A loss of power may leave such a line.
    await writeFile(join(data, 'events.jsonl'), '{"version":"0","id', { flag: 'a' });
  }

  await startInstance({ data, args });
  const ids = (await readEvents(join(data, 'events.jsonl'))).map(
    ({ detail }) => (detail as { id: string }).id,
  );
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(ids).size, 'each once').toBe(ids.length);

  received.clear();
  const { answer } = await json(['events', 'replay', '--since', '1h'], '', ['--data', data]);
  expect(answer).toMatchObject({ sent: ids.length });
  expect(received).toEqual(new Set(ids));
  await close();
});
