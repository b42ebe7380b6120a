import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sampleOf } from '#infra/admin/events/samples';
import { readOptions } from '#infra/local/flags';
import type { DeliveredEvent } from '#infra/local/services/event-bus/event-file';
import {
  deliver,
  labelOf,
  openSubscriber,
  type Send,
  sendTo,
} from '#infra/local/services/event-bus/subscriber';
import { openSubscription, subscriberEnvironment } from '#infra/local/subscription';
import { newFolder } from '../support/folder.ts';
import { endLimits } from '../support/limits.ts';
import { openPosts } from './posts.ts';

const event = (n: number): DeliveredEvent => ({
  ...sampleOf('user_cancel'),
  id: `bus-${n}`,
  time: '2026-11-20T05:30:00Z',
  detail: { id: `event-${n}`, username: `user-${n}` },
});

const terminal = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
const printed = () => terminal.mock.calls.map(([line]) => line).join('');
beforeEach(() => {
  terminal.mockClear();
});
afterAll(() => terminal.mockRestore());

const until = (check: () => boolean) => expect.poll(check, { interval: 5 }).toBe(true);

const SOON = [1, 1];
const server = async (answer: Parameters<typeof openPosts>[0]) => {
  const posts = await openPosts(answer);
  onTestFinished(posts.close);
  return posts;
};
const subscribe = (send: Send, matches = (_: unknown) => true, waits: readonly number[] = SOON) => {
  const subscriber = openSubscriber(send, matches, waits);
  onTestFinished(subscriber.close);
  return subscriber;
};

test.each([302, 404, 503])(
  'a subscriber at a URL receives the event as JSON in a third attempt after status %i',
  async (status) => {
    const answers = [204, status, status];
    const { events, received, url } = await server(() => answers.pop() ?? 500);
    await deliver(sendTo(url), event(1), { waits: SOON });
    expect(received).toEqual(new Set(['event-1']));
    expect(events).toEqual([event(1), event(1), event(1)]);
  },
);

test('a subscriber at a URL is reported in one line after three attempts', async () => {
  const { events, url, close } = await server(() => 302);
  const subscriber = subscribe(sendTo(url));
  subscriber.receive([event(1)]);
  await until(() => printed() !== '');
  expect(printed()).toBe(
    'event  not delivered  user_cancel  event-1  user-1: the subscriber answered 302; "events replay --since 2026-11-20T05:30:00Z" repeats it\n',
  );
  expect(events).toHaveLength(3);
  await close();
  subscriber.receive([event(2)]);
  await until(() => printed().includes('user-2: ECONNREFUSED'));
});

test.each([
  [{ username: 'anna', team_short: 'OPS' }, 'user_cancel  event-1  anna'],
  [{ team_short: 'OPS' }, 'user_cancel  event-1  OPS'],
  [{ username: 'a\nb' }, 'user_cancel  event-1  a\\u000ab'],
  [{}, 'user_cancel  event-1'],
])('the line of an event with %j names its account or team: %s', (names, line) => {
  expect(labelOf({ ...event(1), detail: { id: 'event-1', ...names } })).toBe(line);
});

test('a subscriber at a URL receives other events while it does not answer one', async () => {
  const { received, url } = await server(({ id }) => (id === 'bus-0' ? 0 : 204));
  const subscriber = subscribe(sendTo(url));
  subscriber.receive(Array.from({ length: 200 }, (_, n) => event(n)));
  await until(() => received.size === 199);
  await subscriber.close();
});

test('a subscriber at a URL that does not answer in time is reported', async () => {
  const { url } = await server(() => 0);
  endLimits(20);
  subscribe(sendTo(url)).receive([event(1)]);
  await until(() => printed().includes('user-1: the subscriber did not answer within 5000 ms'));
});

test('a subscriber receives more events than it takes at once, one after the other', async () => {
  const send = vi.fn(async () => undefined);
  const subscriber = subscribe(send);
  for (let n = 0; n < 60; n++) {
    subscriber.receive([event(n)]);
    await new Promise(setImmediate);
  }
  expect(send).toHaveBeenCalledTimes(60);
});

test('a subscriber receives events that match only', async () => {
  const sent: string[] = [];
  const matches = (one: unknown) => (one as DeliveredEvent).id !== 'bus-1';
  subscribe(async ({ id }) => sent.push(id), matches).receive([event(0), event(1), event(2)]);
  await until(() => sent.length === 2);
  expect(sent).toEqual(['bus-0', 'bus-2']);
});

test('a subscriber makes no further attempts once the instance stops, and reports what is left', async () => {
  const send = vi.fn(() => Promise.reject(new Error('down')));
  const subscriber = subscribe(send, undefined, [60_000]);
  subscriber.receive(Array.from({ length: 60 }, (_, n) => event(n)));
  await until(() => send.mock.calls.length === 50);
  await subscriber.close();
  subscriber.receive([event(99)]);
  expect(send).toHaveBeenCalledTimes(50);
  expect(printed().match(/user-\d+: the instance stopped/g)).toHaveLength(50);
  expect(printed()).toContain('10 more were not delivered');
});

describe('a subscriber in a module', () => {
  const file = join(newFolder(), 'handler.ts');
  writeFileSync(
    file,
    `import type { DeliveredEvent } from 'unknown';
    export async function handler(event: DeliveredEvent, context: object): Promise<void> {
      console.log(JSON.stringify({ event, context, own: process.env['OWN'], region: process.env['AWS_REGION'] }));
      if (event.id === 'bus-1') throw new Error('no customer');
    }`,
  );
  const open = (env: Record<string, string> = {}) => {
    const output: Promise<string>[] = [];
    const subscription = openSubscription(file, env, { take: (stream) => void output.push(text(stream)) });
    onTestFinished(subscription.close);
    return { ...subscription, output: async () => (await Promise.all(output)).join('') };
  };

  test('receives the event and a context as a Lambda function, with the given variables', async () => {
    const env = subscriberEnvironment(
      { OWN: 'mine', AWS_PROFILE: 'x', ADMIN_PASSWORD: 'secret' },
      { AWS_REGION: 'eu-west-1' },
    );
    expect(env).toEqual({ OWN: 'mine', AWS_REGION: 'eu-west-1' });
    const { send, close, output } = open(env);
    await send(event(0));
    await close();
    expect(JSON.parse(await output())).toMatchObject({
      event: event(0),
      context: { awsRequestId: 'bus-0', functionName: 'subscriber' },
      own: 'mine',
      region: 'eu-west-1',
    });
  });

  test('is reported with the first line of its error', async () => {
    subscribe(open().send).receive([event(1)]);
    await until(() => printed() !== '');
    expect(printed()).toMatch(/user-1: Error: no customer; "events replay/);
  });
});

test.each([
  ['no URL and no file', ['--subscribe', '127.0.0.1:8080'], 'or the path of a module'],
  ['a malformed URL', ['--subscribe', 'http://'], 'or the path of a module'],
  ['a pattern without a subscriber', ['--pattern', '{"source":["x"]}'], '--pattern needs --subscribe'],
  ['a pattern with operators', ['--subscribe', 'http://a', '--pattern', '{"a":[{"prefix":"b"}]}'], 'exact'],
])('npm start refuses %s', (_, args, reason) => {
  expect(readOptions(args)).toBe(2);
  expect(printed()).toContain(reason);
});
