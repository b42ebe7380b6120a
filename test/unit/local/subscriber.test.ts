import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { readDeliveryQueue } from '#infra/local/services/delivery-queue';
import { compilePattern } from '#infra/local/services/event-pattern';
import type { DeliveredEvent } from '#infra/local/services/put-events';
import { newSecret, verify } from '#infra/local/services/signature';
import { openSubscriber, type Subscriber } from '#infra/local/services/subscriber';
import { openPosts } from './posts.ts';

const secret = newSecret();
/** Some milliseconds stand for a quarter of a second, a minute and a day. */
const SHORT = { first: 2, longest: 20, end: 150 };

const event = (n: number, more: object = {}): DeliveredEvent => ({
  version: '0',
  id: `bus-${n}`,
  'detail-type': 'user_cancel',
  source: 'core.account',
  account: '000000000000',
  time: '2026-11-20T05:30:00Z',
  region: 'eu-west-1',
  resources: [],
  detail: { id: `event-${n}`, username: `user-${n}`, ...more },
});
const events = (count: number) => Array.from({ length: count }, (_, n) => event(n));

/** What is said on the terminal. */
const terminal = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
const said = () => terminal.mock.calls.map(([text]) => text).join('');
afterAll(() => terminal.mockRestore());

/** What is waited for comes soon; the limit is for what never comes. */
const until = (check: () => boolean) => vi.waitUntil(check, { timeout: 30_000, interval: 5 });

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  terminal.mockClear();
  for (const close of closers.splice(0)) await close();
});

/** A subscriber with files of its own; `open` opens it anew. */
function bench(url: string, pattern?: object) {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-'));
  const [queue, deadLetters] = [join(folder, 'queue'), join(folder, 'dead-letters.jsonl')];
  const matches = pattern ? compilePattern(pattern) : () => true;
  return {
    open(patience = SHORT, since: readonly DeliveredEvent[] = [], end = 0): Subscriber {
      const subscriber = openSubscriber({ url, matches, secret, queue, deadLetters }, patience);
      closers.push(subscriber.close);
      subscriber.begin(end, since);
      return subscriber;
    },
    close: () => (closers.pop() as () => Promise<void>)(),
    waiting: () => readDeliveryQueue(queue),
    deadLetters: () =>
      (existsSync(deadLetters) ? readFileSync(deadLetters, 'utf8') : '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    modeOfDeadLetters: () => statSync(deadLetters).mode & 0o777,
  };
}

async function server(answer?: Parameters<typeof openPosts>[0], port?: number) {
  const posts = await openPosts(answer, port);
  closers.unshift(posts.close);
  return posts;
}

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const { port, close } = await openPosts();
  await close();
  return port;
}

test('a post is the event, signed under the id that all its deliveries have', async () => {
  const { posts, url } = await server();
  bench(url)
    .open()
    .receive([event(1)], 10);
  await until(() => posts.length === 1);
  expect(posts[0]?.event).toEqual(event(1));
  expect(verify(posts[0]?.headers ?? {}, posts[0]?.text ?? '', secret).id).toBe('event-1');
});

test('an event that has no id of its own is signed under that of the bus', async () => {
  const { posts, url } = await server();
  bench(url)
    .open()
    .receive([{ ...event(1), detail: {} }, event(2, { id: 'a.b' })], 10);
  await until(() => posts.length === 2);
  expect(posts.map(({ headers }) => headers['webhook-id'])).toEqual(['bus-1', 'bus-2']);
});

test('a subscriber that fails half of its posts receives all of them', async () => {
  let n = 0;
  const { received, url } = await server(() => (n++ % 2 ? 204 : 500));
  const it = bench(url);
  it.open({ ...SHORT, end: 60_000 }).receive(events(100), 10);
  await until(() => received.size === 100);
  await until(() => it.waiting().length === 0);
  expect(it.deadLetters()).toEqual([]);
});

test('an event that fails, or is not answered yet, does not hold up later ones', async () => {
  const answers: Record<string, number> = { 'event-0': 500, 'event-1': 0 };
  const { received, posts, url } = await server(({ id }) => answers[id] ?? 204);
  const it = bench(url);
  it.open({ ...SHORT, end: 60_000 }).receive(events(100), 10);
  await until(() => received.size === 98);
  expect(it.waiting().find(({ event: text }) => text.includes('event-1"'))).toMatchObject({ attempts: 0 });
  await until(() => posts.filter(({ id }) => id === 'event-0').length > 2);
});

test('the waits grow twofold, to the longest', async () => {
  const { posts, url } = await server(() => 503);
  bench(url)
    .open({ first: 20, longest: 80, end: 60_000 })
    .receive([event(1)], 10);
  await until(() => posts.length === 6);
  const waits = posts.slice(1).map(({ at }, n) => at - (posts[n]?.at as number));
  // A half of each is left to chance. Nothing is said of how late a busy machine may be.
  for (const [n, least] of [10, 20, 40, 40, 40].entries()) expect(waits[n]).toBeGreaterThanOrEqual(least - 2);
});

describe('an event is given up', () => {
  test('once it has failed for so long, and becomes a dead letter', async () => {
    const { posts, url } = await server(() => 500);
    const it = bench(`${url}?key=of-the-subscriber`);
    it.open().receive([event(1)], 10);
    await until(() => it.deadLetters().length === 1);
    expect(it.deadLetters()).toEqual([
      {
        time: expect.stringMatching(/Z$/),
        url,
        attempts: posts.length,
        error: 'it answered 500',
        event: event(1),
      },
    ]);
    expect(posts.length).toBeGreaterThan(4);
    expect(said()).toMatch(/event {2}waits for \S+ {2}user_cancel {2}event-1 {2}user-1: it answered 500\n/);
    expect(said()).toMatch(/event {2}given up after \d+ attempts.* {2}user_cancel {2}event-1 {2}user-1: /);
    expect(said()).not.toContain('of-the-subscriber');
    expect(it.modeOfDeadLetters()).toBe(0o600);
    expect(it.waiting()).toEqual([]);
  });

  test('not before one attempt more, however long the instance was stopped meanwhile', async () => {
    const port = await freePort();
    const it = bench(`http://127.0.0.1:${port}/hook`);
    it.open({ ...SHORT, longest: 10_000, first: 10_000 }).receive([event(1)], 10);
    await until(() => it.waiting()[0]?.attempts === 1);
    await it.close();
    await new Promise((resolve) => setTimeout(resolve, SHORT.end));
    const { received } = await server(undefined, port);
    it.open();
    await until(() => received.size === 1);
    expect(it.deadLetters()).toEqual([]);
  });
});

test('what waits is kept, with its attempts and its error, and tried at once by the next start', async () => {
  const port = await freePort();
  const it = bench(`http://127.0.0.1:${port}/hook`);
  it.open({ ...SHORT, first: 60_000, longest: 60_000 }).receive(events(3), 10);
  await until(() => it.waiting().every(({ attempts }) => attempts === 1));
  expect(it.waiting()[0]).toMatchObject({ attempts: 1, error: 'ECONNREFUSED', since: expect.any(Number) });
  await it.close();
  expect(it.waiting()).toHaveLength(3);
  const { received } = await server(undefined, port);
  it.open({ ...SHORT, first: 60_000, longest: 60_000 });
  await until(() => received.size === 3);
  expect(said()).toContain(`event  3 wait for http://127.0.0.1:${port}/hook\n`);
  for (const n of [0, 1, 2]) expect(said()).toContain(`event  waits  user_cancel  event-${n}  user-${n}\n`);
});

test('what the stream has had since the place is taken by the next start', async () => {
  const { received, url } = await server();
  const it = bench(url);
  expect(it.open().place(50)).toBe(0);
  await it.close();
  it.open(SHORT, [event(7)], 99);
  await until(() => received.has('event-7'));
});

test('only events that match the pattern are posted, and its place passes the others', async () => {
  const { posts, url } = await server();
  const subscriber = bench(url, { detail: { username: [{ prefix: 'user-1' }] } }).open();
  subscriber.receive(events(12), 70);
  await until(() => posts.length === 3);
  expect(posts.map(({ id }) => id).sort()).toEqual(['event-1', 'event-10', 'event-11']);
  expect(subscriber.place(70)).toBe(70);
});

test.each([302, 400, 404])('an answer of %i is no success, and nothing is followed', async (status) => {
  let n = 0;
  const { posts, received, url } = await server(() => (n++ ? 200 : status));
  bench(url)
    .open()
    .receive([event(1)], 10);
  await until(() => received.size === 1);
  expect(posts).toHaveLength(2);
});
