import { expect, inject, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { admin } from './cloud.ts';
import { STACK } from './global-setup.ts';

const cloud = inject('cloud');
const api = createClient({ url: inject('baseUrl'), credential: { token: inject('adminToken') } });

test('a change over HTTP and one by a command are in the audit log, and in that of the page', async () => {
  await api.account.create({ username: 'stack.audited' });
  await api.account.lock({ username: 'stack.audited', reason: 'on leave' });
  await admin(cloud, STACK, 'account', 'unlock', 'stack.audited');
  const actions = ['account.create', 'account.lock', 'admin account unlock'];
  const browsed = async () => {
    const found = new Set<string>();
    for await (const { action } of api.audit.browse({ target: 'stack.audited' })) found.add(action);
    return [...found].sort();
  };
  await expect.poll(browsed).toEqual(actions);
  const list = await admin(cloud, STACK, '--json', 'audit', '--since', '1h', '--target', 'stack.audited');
  expect(JSON.parse(list).map(({ action }: { action: string }) => action)).toEqual(actions);
});
