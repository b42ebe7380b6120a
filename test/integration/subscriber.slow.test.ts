import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createAccount } from '#lib/account/create';
import { openTarget } from '../../infra/admin/target.ts';
import { readDeliveryQueue } from '../../infra/local/services/delivery-queue.ts';
import { verify } from '../../infra/local/services/signature.ts';
import { openPosts } from '../unit/local/posts.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { noted, post } from './service.ts';

/** `CANCELS=1000` is the measure of a release; it takes a minute. */
const CANCELS = Number(process.env['CANCELS'] ?? 100);
const TIMED = 40;

/** The time that a share of all took at most, in milliseconds. */
const share = (times: readonly number[], part: number) =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * part) - 1]?.toFixed(1);

test('a subscriber that is down, while the instance is killed and started again, receives every event', async () => {
  const data = await newFolder();
  const { port, close } = await openPosts();
  await close();
  const args = ['--no-demo', '--subscribe', `http://127.0.0.1:${port}/hook`];
  let instance = await startInstance({ data, args });
  const token = noted(instance.ready.admin.token as string);
  const secret = noted(/Signing secret +(\S+)/.exec(instance.output())?.[1] as string);
  const { runtime } = await openTarget({ data });
  const names = Array.from({ length: CANCELS + TIMED }, (_, n) => `user-${n}`);
  for (const username of names) await createAccount(runtime, { username });
  const cancel = async (username: string) => {
    const { status } = await post(`/api/core/account/cancel/${username}`, {
      token,
      base: instance.ready.url,
    });
    expect(status).toBe(200);
  };

  const third = Math.ceil(CANCELS / 3);
  for (const end of ['kill', 'stop', undefined] as const) {
    await Promise.all(names.splice(0, Math.min(third, names.length - TIMED)).map(cancel));
    if (!end) break;
    await instance[end]();
    instance = await startInstance({ data, args });
    expect(instance.output()).not.toContain(secret);
  }
  const queue = join(data, 'subscriber.sqlite');
  expect(readDeliveryQueue(queue)).toHaveLength(CANCELS);

  const subscriber = await openPosts(undefined, port);
  const { posts, received } = subscriber;
  await vi.waitUntil(() => received.size === CANCELS, { timeout: 60_000 });
  await vi.waitUntil(() => readDeliveryQueue(queue).length === 0);
  for (const { headers, text, id } of posts) expect(verify(headers, text, secret).id).toBe(id);
  const usernames = posts.map(({ event }) => (event.detail as { username: string }).username);
  expect(new Set(usernames).size).toBe(CANCELS);

  const times: number[] = [];
  for (const username of names) {
    const sent = performance.now();
    const arrived = subscriber.next().then(() => performance.now());
    await cancel(username);
    times.push((await arrived) - sent);
  }
  console.log(`cancel to subscriber: ${share(times, 0.5)} ms median, ${share(times, 0.99)} ms p99`);
  await subscriber.close();
}, 600_000);
