import { describe, expect, test } from 'vitest';
import { hashApiToken, isApiToken } from '#lib/token/secret';
import { baseUrl, type Call, createUser, get, noted, post } from './service.ts';

const user = await createUser();
const token = await user.token();
const jwt = await user.logIn();
const basic = (text: string) => ({ headers: { authorization: `Basic ${noted(btoa(text))}` } });
const ping = '/api/core/system/ping';

const accepted: [string, string, Call][] = [
  ['Token', ping, { headers: { authorization: `Token ${token}` } }],
  ['token in lower case', ping, { headers: { authorization: `tOkEn ${token}` } }],
  ['Basic', ping, basic(`api:${token}`)],
  ['Bearer', ping, { headers: { authorization: `bearer ${jwt}` } }],
  ['a token in the query', `${ping}?ptoken=api:${token}`, {}],
  ['a token in the query, percent-encoded', `${ping}?ptoken=api%3A${token}`, {}],
  ['a session in the query', `${ping}?ptoken=${jwt}`, {}],
  ['a session in the cookie', ping, { headers: { cookie: `other=1; ptoken=${jwt}` } }],
  [
    'a good header before a bad query and cookie',
    `${ping}?ptoken=x`,
    { token, headers: { cookie: 'ptoken=x' } },
  ],
];

test.each(accepted)('accepts %s', async (_, path, request) => {
  const reply = await get(path, request);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ ping: 'pong', username: user.username });
  expect(reply.text).not.toContain(token);
  expect(reply.text).not.toContain(jwt);
});

const refused: [string, number, string, Call][] = [
  ['Basic with another user', 401, ping, basic(`API:${token}`)],
  ['Basic with the username and password', 401, ping, basic(`${user.username}:${user.password}`)],
  ['Basic with a session', 401, ping, basic(`api:${jwt}`)],
  ['a session with the prefix of a token', 401, `${ping}?ptoken=api:${jwt}`, {}],
  ['a token without its prefix', 401, `${ping}?ptoken=${token}`, {}],
  ['two query tokens', 400, `${ping}?ptoken=${jwt}&ptoken=${jwt}`, {}],
  ['two headers', 400, ping, { headers: { authorization: `Bearer ${jwt}, Bearer ${jwt}` } }],
  ['a bad query before a good cookie', 401, `${ping}?ptoken=`, { headers: { cookie: `ptoken=${jwt}` } }],
];

test.each(refused)('refuses %s with %i', async (_, status, path, request) => {
  const reply = await get(path, request);
  expect(reply.status).toBe(status);
});

describe('a cookie', () => {
  const withCookie = (headers: Record<string, string>) => ({
    headers: { cookie: `ptoken=${jwt}`, ...headers },
  });
  const host = new URL(baseUrl).host;

  test.each<[string, number, Record<string, string>]>([
    ['no header of a browser', 200, {}],
    ['the same origin', 200, { 'sec-fetch-site': 'same-origin' }],
    ['a typed address', 200, { 'sec-fetch-site': 'none' }],
    ['another site', 403, { 'sec-fetch-site': 'cross-site' }],
    ['the same site', 403, { 'sec-fetch-site': 'same-site' }],
    ['the own origin', 200, { origin: `http://${host}` }],
    ['a foreign origin', 403, { origin: 'https://evil.example' }],
    ['an opaque origin', 403, { origin: 'null' }],
  ])('changes nothing on behalf of another site: %s', async (_, status, headers) => {
    expect((await post(ping, withCookie(headers))).status).toBe(status);
    expect((await get(ping, withCookie(headers))).status).toBe(200);
  });

  test('does not log out on behalf of another site', async () => {
    const other = await createUser();
    const session = await other.logIn();
    const headers = { cookie: `ptoken=${session}`, 'sec-fetch-site': 'cross-site' };
    expect((await get('/api/core/account/logout', { headers })).status).toBe(403);
    expect((await get(ping, { jwt: session })).status).toBe(200);
  });
});

test('a token has the published format, and only its hash is kept', () => {
  expect(token).toMatch(/^cst_[0-9A-Za-z]{36}$/);
  expect(isApiToken(token)).toBe(true);
  expect(hashApiToken(token)).toMatch(/^[0-9a-f]{64}$/);
});
