import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '#lib/account/create';
import { openTarget } from '../../infra/admin/target.ts';
import { openPosts } from '../unit/local/posts.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { json, run } from './operator.ts';
import { noted, post } from './service.ts';

let status = 204;
const { events, url, close } = await openPosts(() => status);
const data = newFolder();
const pattern = '{"detail":{"username":["ada","eve"]}}';
const { ready } = await startInstance({
  data,
  args: ['--no-demo', '--subscribe', url, '--pattern', pattern],
});
const token = noted(ready.admin.token as string);
const { runtime } = await openTarget({ data });
for (const username of ['ada', 'bob', 'eve']) {
  await createAccount(runtime, { username });
  await post(`/api/core/account/cancel/${username}`, { token, base: ready.url });
}
afterAll(close);
await vi.waitUntil(() => events.length === 2, { timeout: 60_000 });
const [delivered] = events;

const where = ['--data', data];
const usernames = () => events.map(({ detail }) => (detail as { username: string }).username).sort();
beforeEach(() => {
  status = 204;
  events.length = 0;
});

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
  await createAccount(runtime, { username: 'kim' });
  await post('/api/core/account/cancel/kim', { token, base: ready.url });
  await vi.waitUntil(() => lines.text.out.includes('kim') && raw.text.out.includes('kim'), {
    timeout: 60_000,
  });
  expect(lines.text.out).toMatch(
    /^\S+Z {2}user_cancel {2}[\w-]{36} {2}bob\n.* {2}eve\n\S+Z {2}user_cancel {2}\S+ {2}kim\n$/,
  );
  expect(lines.text.err).toBe('');
  expect((await readFile(join(data, 'events.jsonl'), 'utf8')).endsWith(raw.text.out)).toBe(true);
  for (const { child } of [lines, raw]) {
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
});

test('events replay sends the events that match the pattern again, with the name of the replay', async () => {
  const { code, answer } = await json(['events', 'replay', '--since', '1h'], '', where);
  expect(code).toBe(0);
  expect(answer).toMatchObject({ replay: expect.stringMatching(/^admin-/), sent: 2 });
  expect(usernames()).toEqual(['ada', 'eve']);
  for (const event of events) expect(event).toMatchObject({ 'replay-name': answer.replay });
});

test('events replay fails when the subscriber fails three times', async () => {
  status = 500;
  const { code, stdout, stderr } = await run(['events', 'replay', '--since', '1h', '--json'], '', where);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    { code: 'replay_failed', message: '2 of 2 events were not delivered' },
  ]);
  expect(stderr).toMatch(/not delivered {2}user_cancel {2}\S+ {2}ada: the subscriber answered 500\n/);
  expect(events).toHaveLength(6);
});

test('events send marks its sample, which has the fields of a real event', async () => {
  const { answer } = await json(['events', 'send', 'user_cancel'], '', where);
  expect(events).toMatchObject([{ source: 'core.account.sample', detail: { id: answer.sent } }]);
  const { stdout } = await run(['events', 'sample'], '', []);
  for (const sample of [events[0], JSON.parse(stdout)]) {
    expect(Object.keys(sample)).toEqual(Object.keys(delivered ?? {}));
    expect(Object.keys(sample.detail)).toEqual(Object.keys(delivered?.detail as object));
  }
});
