import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleOf } from '#infra/admin/events/samples';
import { openPosts } from '../local/posts.ts';
import { openInstance } from './operator.ts';

const { run, json, fileOf, data, describeInstance } = await openInstance();

const eventOf = (username: string) => ({
  ...sampleOf('user_cancel'),
  time: new Date().toISOString(),
  detail: { id: `of-${username}`, username },
});
const file = fileOf('events.jsonl', ['ada', 'bob', 'eve'].map(eventOf));

test('events tail shows the latest events and those that come, until it is stopped', async () => {
  const follow = (...args: string[]) => {
    const child = spawn(process.execPath, ['infra/admin/main.ts', 'events', 'tail', '--data', data, ...args]);
    onTestFinished(() => void child.kill());
    const text = { out: '', err: '' };
    const append = (to: keyof typeof text) => (chunk: Buffer) => {
      text[to] += chunk;
    };
    child.stdout.on('data', append('out'));
    child.stderr.on('data', append('err'));
    return { child, text };
  };
  const [lines, raw] = [follow('--lines', '2'), follow('--json', '--lines', '1')];
  await vi.waitUntil(() => lines.text.out.includes('eve') && raw.text.out, { timeout: 60_000 });
  appendFileSync(file, `${JSON.stringify(eventOf('kim'))}\n`);
  await vi.waitUntil(() => lines.text.out.includes('kim') && raw.text.out.includes('kim'), {
    timeout: 60_000,
  });
  expect(lines.text.out).toMatch(
    /^\S+Z {2}user_cancel {2}of-bob {2}bob\n.* {2}eve\n\S+Z {2}user_cancel {2}\S+ {2}kim\n$/,
  );
  expect(lines.text.err).toBe('');
  expect(readFileSync(file, 'utf8').endsWith(raw.text.out)).toBe(true);
  for (const { child } of [lines, raw]) {
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
});

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
