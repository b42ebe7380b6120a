import { expect, inject, test } from 'vitest';
import { readLogs } from './instance-process.ts';
import { call, createUser, get, noted, post } from './service.ts';

test.skipIf(inject('stack'))(
  'a request is logged, and whatever credential it has put anywhere is not',
  async () => {
    const user = await createUser();
    const [token, jwt] = [await user.token(), await user.logIn()];
    const secret = noted(`secret-${token.slice(4)}`);
    const login = '/api/core/account/login';
    const ping = '/api/core/system/ping';
    const replies = [
      await get(`${ping}?ptoken=api:${token}&other=${secret}`),
      await get(`/api/core/account/profile/${secret}`, { token }),
      await get('/api/core/account/browse?cursor=x', {
        headers: { authorization: `Basic ${btoa(`api:${token}`)}` },
      }),
      await post(ping, {
        token,
        headers: { 'content-type': 'application/json' },
        body: `{"password":"${secret}`,
      }),
      await post(ping, { token, headers: { 'content-type': secret }, body: secret }),
      await post(login, { json: { username: secret, password: user.password } }),
      await post(`/api/core/token/delete/${token}/${user.username}`, { token }),
      await post(`/api/core/account/lock/${token}`, {}),
      await post(login, { json: { username: user.username, password: secret, extra: secret } }),
      await post(login, { json: { username: 'api', password: `${token}x` } }),
      await post('/api/core/account/profile-update', {
        jwt,
        json: { user_properties: { root: { secret } } },
      }),
      await call('GET', ping, { headers: { cookie: `ptoken=${jwt}`, 'x-secret': secret } }),
    ];
    const logs = async () => (await readLogs(inject('data'))).join('\n');
    // A line reaches the log a moment after its answer has reached the client.
    for (const { headers } of replies) await expect.poll(logs).toContain(headers.get('x-request-id'));
    for (const { status, text } of replies.filter((reply) => reply.status >= 400)) {
      expect(status).toBeLessThan(500);
      for (const credential of [token, jwt, user.password]) expect(text).not.toContain(credential);
    }
  },
);
