import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { call, noted } from './service.ts';

test('everything acknowledged survives stops, kills and copies of the data directory', async () => {
  const password = noted('the-password-of-the-restarts');
  let data = newFolder();
  let instance = await startInstance({ data, env: { ADMIN_PASSWORD: password } });
  const token = noted(instance.ready.admin.token as string);
  const send = (method: string, path: string, request: object = { token }) =>
    call(method, path, { base: instance.ready.url, ...request });
  const login = { json: { username: 'admin', password } };
  const jwt = noted((await send('POST', '/api/core/account/login', login)).body.data.JWTtoken as string);
  const names: string[] = [];

  for (const end of ['stop', 'kill', 'kill'] as const) {
    const writes = Array.from({ length: 12 }, async (_, n) => {
      const name = `${end}-${names.length}-${n}`;
      const reply = await send('POST', `/api/core/token/create/${name}/admin`).catch(() => undefined);
      if (reply?.status === 200) names.push(noted(reply.body.data.value) && name);
    });
    await (end === 'stop' ? Promise.all(writes) : Promise.race(writes));
    const status = await instance[end]();
    if (end === 'stop') expect(status).toBe(0);
    await Promise.all(writes);
    const copy = join(newFolder(), 'copy');
    await cp(data, copy, { recursive: true });
    data = copy;

    instance = await startInstance({ data });
    expect(instance.ready.admin, 'secrets are shown on the first start only').toEqual({ username: 'admin' });
    const { items } = (await send('GET', '/api/core/token/user')).body.data;
    const listed = items.map(({ name }: { name: string }) => name);
    expect(names.filter((name) => !listed.includes(name))).toEqual([]);
    expect((await send('GET', '/api/core/system/ping', { jwt })).status).toBe(200);
    expect((await send('POST', '/api/core/account/login', login)).status).toBe(200);
  }
});
