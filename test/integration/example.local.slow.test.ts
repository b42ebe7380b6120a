import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Customer } from '../../infra/example/clean-up.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { json } from './operator.ts';
import { call, noted } from './service.ts';

test('the example cleans up after a demo user who is cancelled, and keeps those who are active again', async () => {
  const data = newFolder();
  const { ready } = await startInstance({ data, args: ['--subscribe', 'infra/example/function.ts'] });
  const admin = { token: noted(ready.admin.token as string), base: ready.url };
  const customers = async () => {
    const command = ['infra/example/customers.ts', '--data', data];
    return JSON.parse((await promisify(execFile)(process.execPath, command)).stdout) as Customer[];
  };
  const { items } = (await call('GET', '/api/core/account/browse', admin)).body.data;
  const { id } = items.find(({ username }: { username: string }) => username === 'anna.keller');
  const anna = async () => (await customers()).find(({ userid }) => userid === id);
  expect(await anna()).toMatchObject({ state: 'active', notes: 'What anna.keller has bought' });

  await call('POST', '/api/core/account/cancel/anna.keller', admin);
  await expect.poll(anna, { interval: 500 }).toMatchObject({ state: 'cancelled', transition: 1 });
  expect(await anna()).not.toHaveProperty('notes');

  await call('POST', '/api/core/account/reactivate/anna.keller', admin);
  await expect.poll(anna, { interval: 500 }).toMatchObject({ state: 'active', transition: 2 });
  const others = (await customers()).filter(({ userid }) => userid !== id);
  expect(others.length).toBeGreaterThan(0);
  for (const other of others) expect(other.notes).toMatch(/^What /);

  const send = ['events', 'send', '--to', 'infra/example/function.ts'];
  expect((await json(send, undefined, ['--data', data])).code, 'a module that uses DynamoDB').toBe(0);
});
