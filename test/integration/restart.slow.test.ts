import { expect, test } from 'vitest';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { call, noted } from './service.ts';

const data = await newFolder();

test('everything acknowledged survives a stop and a kill, and credentials go on working', async () => {
  const password = noted('the-password-of-the-restarts');
  let instance = await startInstance({ data, env: { ADMIN_PASSWORD: password, Settings__BcryptCost: '10' } });
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
    if (end === 'stop') {
      await Promise.all(writes);
      expect(await instance.stop()).toBe(0);
    } else {
      await Promise.race(writes);
      await instance.kill();
      await Promise.all(writes);
    }
    instance = await startInstance({ data });
    expect(instance.ready.admin, 'secrets are shown on the first start only').toEqual({ username: 'admin' });
    const { items } = (await send('GET', '/api/core/token/user')).body.data;
    const listed = items.map(({ name }: { name: string }) => name);
    for (const name of names) expect(listed).toContain(name);
    expect((await send('GET', '/api/core/system/ping', { jwt })).status).toBe(200);
    expect((await send('POST', '/api/core/account/login', login)).status).toBe(200);
  }
  await instance.stop();
}, 240_000);
