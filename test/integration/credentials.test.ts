import { expect, test } from 'vitest';
import { send } from './raw-request.ts';
import { createUser, noted } from './service.ts';

// Rules: test/unit/auth/credential.test.ts. These show how requests reach them over HTTP.
const user = await createUser();
const token = await user.token();
const jwt = await user.logIn();
const basic = (text: string) => `Basic ${noted(btoa(text))}`;
const ping = '/api/core/system/ping';

interface Presented {
  /** A list sends the header once for each of its values. */
  readonly authorization?: string | string[];
  readonly query?: string;
  readonly cookie?: string;
}

test.each<[number, string, Presented]>([
  [200, 'Token', { authorization: `Token ${token}` }],
  [200, 'Token in any case', { authorization: `tOkEn ${token}` }],
  [200, 'Basic with the user api', { authorization: basic(`api:${token}`) }],
  [200, 'Bearer', { authorization: `bearer ${jwt}` }],
  [200, 'a token in the query', { query: `ptoken=api:${token}` }],
  [200, 'a token in the query, percent-encoded', { query: `ptoken=api%3A${token}` }],
  [200, 'a session in the query', { query: `ptoken=${jwt}` }],
  [200, 'a session in the cookie', { cookie: `other=1; ptoken=${jwt}` }],
  [
    200,
    'a valid header before others',
    { authorization: `Token ${token}`, query: 'ptoken=x', cookie: 'ptoken=x' },
  ],
  [200, 'a valid query before a cookie', { query: `ptoken=${jwt}`, cookie: 'ptoken=x' }],
  [
    401,
    'an invalid header before others',
    { authorization: 'Token x', query: `ptoken=${jwt}`, cookie: `ptoken=${jwt}` },
  ],
  [401, 'an invalid query before a cookie', { query: 'ptoken=', cookie: `ptoken=${jwt}` }],
  [401, 'Basic with another user', { authorization: basic(`API:${token}`) }],
  [401, 'Basic with the password', { authorization: basic(`${user.username}:${user.password}`) }],
  [401, 'Basic with a session', { authorization: basic(`api:${jwt}`) }],
  [401, 'Bearer with a token', { authorization: `Bearer ${token}` }],
  [401, 'a session as a token', { query: `ptoken=api:${jwt}` }],
  [401, 'a token as a session', { query: `ptoken=${token}` }],
  [401, 'two cookies', { cookie: `ptoken=${jwt}; ptoken=${jwt}` }],
  [400, 'two queries', { query: `ptoken=${jwt}&ptoken=${jwt}` }],
  [400, 'two headers', { authorization: [`Bearer ${jwt}`, `Bearer ${jwt}`] }],
  [400, 'two credentials in one header', { authorization: `Bearer ${jwt}, Token ${token}` }],
])('answers %i to %s', async (status, _name, { query, ...headers }) => {
  const reply = await send({ path: query ? `${ping}?${query}` : ping, headers });
  expect(reply.status).toBe(status);
  if (status === 200) expect(reply.body).toMatchObject({ ping: 'pong', username: user.username });
  for (const credential of [token, jwt]) expect(JSON.stringify(reply.body)).not.toContain(credential);
});
