import { expect, onTestFinished, test } from 'vitest';
import { sampleOf } from '#infra/admin/events/samples';
import { openPosts } from '../local/posts.ts';
import { openInstance } from './operator.ts';

const { run, json, fileOf, describeInstance } = await openInstance();

const eventOf = (username: string) => ({
  ...sampleOf('user_cancel'),
  time: new Date().toISOString(),
  detail: { id: `of-${username}`, username },
});
fileOf('events.jsonl', ['ada', 'bob', 'eve'].map(eventOf));

test('events replay and send fail when the subscriber of the instance fails', async () => {
  const { events, url, close } = await openPosts(() => 500);
  onTestFinished(close);
  describeInstance({ subscribe: url, pattern: '{"detail":{"username":["ada"]}}' });
  const { code, stdout, stderr } = await run(['events', 'replay', '--since', '1h', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    { code: 'replay_failed', message: '1 of 1 events were not delivered' },
  ]);
  expect(stderr).toMatch(/not delivered {2}user_cancel {2}of-ada {2}ada: the subscriber answered 500\n/);
  expect(events).toHaveLength(3);
  const refused = { code: 'not_received', message: `${url}: the subscriber answered 500` };
  expect(await json(['events', 'send'])).toMatchObject({ code: 1, answer: refused });
});
