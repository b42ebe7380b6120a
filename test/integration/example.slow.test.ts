import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Customer } from '../../infra/example/clean-up.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { type Call, call, noted } from './service.ts';

/** A port that is free now: the instance and its subscriber have to know it before either starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let url: string;
let admin: Call;
let stop: () => void;
let printed = '';

beforeAll(async () => {
  const data = await newFolder();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const { ready } = await startInstance({ data, args: ['--subscribe', url] });
  admin = { token: noted(ready.admin.token as string), base: ready.url };
  const example = spawn(process.execPath, ['infra/example/local.ts', '--data', data, '--port', `${port}`]);
  for (const stream of [example.stdout, example.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  stop = () => example.kill();
  await vi.waitUntil(() => printed.includes('Subscribe with'), { timeout: 30_000 });
});
afterAll(() => stop());

const customers = async () => (await (await fetch(url)).json()) as Customer[];

test('the example cleans up after a demo user who is cancelled, and keeps those who are back', async () => {
  const { items } = (await call('GET', '/api/core/account/browse', admin)).body.data;
  const { id } = items.find(({ username }: { username: string }) => username === 'anna.keller');
  const anna = async () => (await customers()).find(({ userid }) => userid === id);
  expect(await anna()).toMatchObject({ state: 'active', notes: 'What anna.keller has bought' });

  await call('POST', '/api/core/account/cancel/anna.keller', admin);
  await expect.poll(anna, { timeout: 20_000 }).toMatchObject({ state: 'cancelled', transition: 1 });
  expect(await anna()).not.toHaveProperty('notes');
  expect(printed).toContain('cleaned up  anna.keller, by user_cancel (transition 1)');

  await call('POST', '/api/core/account/reactivate/anna.keller', admin);
  await expect.poll(anna, { timeout: 20_000 }).toMatchObject({ state: 'active', transition: 2 });
  const others = (await customers()).filter(({ userid }) => userid !== id);
  expect(others.length).toBeGreaterThan(0);
  for (const other of others) expect(other.notes).toMatch(/^What /);
});

test('the example takes no post that the instance has not signed', async () => {
  const before = await customers();
  const event = {
    'detail-type': 'user_cancel',
    detail: { userid: before[0]?.userid, transition: 99, id: 'x' },
  };
  const forged = {
    'webhook-id': 'x',
    'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
    'webhook-signature': 'v1,AAAA',
  };
  for (const headers of [{}, forged])
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) })).status).toBe(401);
  expect(await customers()).toEqual(before);
});
