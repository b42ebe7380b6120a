import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { PER_ADDRESS } from '#lib/login/attempts';
import { attemptsFromAddressKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { openTarget } from '../../infra/admin/target.ts';
import { call, noted, uniqueName } from './service.ts';
import { startWatchedInstance } from './watched-instance.ts';

// An instance of its own: all tests come from one address.
let watched: Awaited<ReturnType<typeof startWatchedInstance>>;
beforeAll(async () => {
  watched = await startWatchedInstance({ delayMs: 0 });
});
afterAll(() => watched.stop());

const HERE = '127.0.0.1';

test('fifty failures from one address refuse every username but those that have logged in from there', async () => {
  const { runtime } = await openTarget(watched);
  const password = noted('correct horse battery');
  const [known, other] = [uniqueName(), uniqueName()];
  for (const username of [known, other]) await createAccount(runtime, { username, password });
  const logIn = (username: string, tried: string = password) =>
    call('POST', '/api/core/account/login', {
      base: watched.instance.ready.url,
      json: { username, password: tried },
    });

  expect((await logIn(known)).status).toBe(200);
  const attempts = Array.from({ length: PER_ADDRESS.max - 2 }, (_, n) => ({
    id: `${n}`,
    at: Date.now(),
    from: HERE,
  }));
  await put(runtime.table, attemptsFromAddressKey(HERE), { attempts, revision: 1 });
  for (let n = 0; n < 2; n++)
    expect((await logIn(uniqueName('one-more'), 'wrong-password')).status).toBe(401);
  for (const username of [uniqueName('never'), other]) {
    const reply = await logIn(username);
    expect([reply.status, reply.code]).toEqual([429, 'too_many_requests']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(300);
  }
  expect((await logIn(known)).status).toBe(200);
  expect((await logIn(other)).status, 'nor does a success clear the failures').toBe(429);
});
