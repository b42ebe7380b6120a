import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { logsIn } from './logs.ts';
import { run } from './operator.ts';
import { admin, post } from './service.ts';

const data = inject('data');
const { functions, audit } = logsIn(data);

test('the audit log of a local instance has its first start, which created the administrator', async () => {
  const roles_added = ['sys_administrator', 'sys_tokens'];
  const entry = { action: 'first-start', target: 'admin', outcome: 'ok', details: { roles_added } };
  const lines = (await audit('first-start')).map((line) => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining(entry));
});

test('the audit logs of a local instance are files of their own, for their owner alone, as the log of functions is', async () => {
  const id = (await post('/api/core/account/lock/admin', admin)).headers.get('x-request-id') as string;
  await expect.poll(() => audit(id)).toHaveLength(1);
  await run(['account', 'unlock', 'admin']);
  expect(await readFile(join(data, 'verified.jsonl'), 'utf8')).not.toContain('"action":"admin ');
  // As on a stack, the log of functions has their audit lines too: `audit refill` reads them there.
  expect((await functions()).filter((line) => line.includes(id))).not.toEqual([]);
  for (const name of ['verified.jsonl', 'operators.jsonl', 'instance.json', 'functions.log'])
    expect((await stat(join(data, name))).mode & 0o777).toBe(0o600);
});
