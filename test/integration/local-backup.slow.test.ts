import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from './folder.ts';
import { type InstanceProcess, startInstance } from './instance-process.ts';
import { call, noted } from './service.ts';

const PASSWORD = noted('the-password-of-the-backup');

const send = ({ ready }: InstanceProcess, method: string, path: string, request: object) =>
  call(method, path, { base: ready.url, ...request });

/** The session token of the administrator, who logs in. */
async function logIn(instance: InstanceProcess): Promise<string> {
  const json = { username: 'admin', password: PASSWORD };
  const { body } = await send(instance, 'POST', '/api/core/account/login', { json });
  return noted(body.data.JWTtoken);
}

test.each(['stop', 'kill'] as const)(
  'a data directory that was copied whole after a %s is all of the instance, in another folder',
  async (end) => {
    const data = await newFolder();
    const env = { ADMIN_PASSWORD: PASSWORD, Settings__BcryptCost: '10' };
    const first = await startInstance({ data, env });
    const token = noted(first.ready.admin.token as string);
    const jwt = await logIn(first);
    const path = '/api/core/token/create/backed-up/admin';
    const backedUp = noted((await send(first, 'POST', path, { token })).body.data.value);
    await first[end]();

    const copy = join(await newFolder(), 'copy');
    await cp(data, copy, { recursive: true });
    const restored = await startInstance({ data: copy });
    expect(restored.ready.admin).toEqual({ username: 'admin' });
    for (const credential of [{ token: backedUp }, { jwt }, { jwt: await logIn(restored) }])
      expect((await send(restored, 'GET', '/api/core/system/ping', credential)).status).toBe(200);
  },
);
