import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { startInstance } from '../integration/instance-process.ts';
import { baseUrl, newPasswordText, noted } from '../integration/service.ts';
import { newFolder } from '../unit/support/folder.ts';
import { openContext } from './browser.ts';
import { openSite } from './site.ts';
import { logInWithCookie, openOwnPage } from './victim.ts';

const PROFILE = '/api/core/account/profile';
const PING = '/api/core/system/ping';
const LOGOUT = '/api/core/account/logout';
const UPDATE = '/api/core/account/profile-update';

const app = await openSite();
const other = await openSite();
// Chromium permits requests to loopback only to pages from loopback, which a data: URL is not.
other.put('/sandboxed', { headers: { 'content-security-policy': 'sandbox allow-scripts' }, body: 'A page' });
const password = newPasswordText();
const { ready } = await startInstance({
  data: newFolder(),
  args: ['--no-demo', '--memory'],
  env: {
    Settings__CorsAllowedOrigins: `${app.sameSite},${app.crossSite}`,
    Settings__BcryptCost: '10',
    ADMIN_PASSWORD: password,
  },
});
const { url } = ready;
const authorization = `Token ${noted(ready.admin.token as string)}`;
const context = await openContext();
const own = await openOwnPage(context, url);
const user = { username: ready.admin.username, password };
const jwt = await logInWithCookie(own, user);
const page = await context.newPage();

type Init = { method?: string; headers?: Record<string, string>; body?: string };

const json = (value: object): Init => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** The answer that a page can read, with the cookie; undefined if the browser hides it. */
const readFrom = (asking: typeof page, target: string, init: Init = {}) =>
  asking.evaluate(
    async ([to, options]) => {
      const response = await fetch(to, { ...options, credentials: 'include' }).catch(() => undefined);
      if (!response) return undefined;
      const id = response.headers.get('x-request-id');
      return { status: response.status, id, text: await response.text() };
    },
    [target, init] as const,
  );

const shortName = async () =>
  JSON.parse((await readFrom(own, url + PROFILE))?.text ?? '').data.user.user_short;

test('a login with createCookie sets a cookie of the session that no script can read', async () => {
  expect(await context.cookies()).toEqual([
    {
      ...{ name: 'ptoken', value: jwt, domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Lax' },
      // Over plain http on loopback; elsewhere it is.
      secure: false,
      expires: expect.closeTo(decodeJwt(jwt).exp ?? 0, -2),
    },
  ]);
  expect(await own.evaluate('document.cookie')).toBe('');
});

test('a page of an allowed origin of the same site reads and changes with the cookie', async () => {
  await page.goto(`${app.sameSite}/`);
  const text = expect.stringContaining('"username":"admin"');
  expect(await readFrom(page, url + PROFILE)).toEqual({ status: 200, id: expect.any(String), text });
  expect(await readFrom(page, url + UPDATE, json({ user_short: 'AP' }))).toMatchObject({ status: 200 });
  expect(await shortName()).toBe('AP');
});

test('a page of an allowed origin of another site calls with a header, without the cookie', async () => {
  await page.goto(`${app.crossSite}/`);
  expect(await readFrom(page, url + PROFILE)).toMatchObject({ status: 401 });
  const init = { headers: { authorization } };
  expect(await readFrom(page, url + PROFILE, init)).toMatchObject({ status: 200 });
});

describe.each([
  ['another site', `${other.crossSite}/`],
  ['another port of the same site', `${other.sameSite}/`],
  ['no origin', `${other.sameSite}/sandboxed`],
])('a page of %s', (_name, address) => {
  test.each<[string, string, Init]>([
    ['a profile', url + PROFILE, {}],
    ['a profile with a header', url + PROFILE, { headers: { authorization } }],
    ['the public keys', `${url}/api/core/system/jwks`, {}],
    ['its change', url + UPDATE, json({ user_short: 'EV' })],
    ['the public keys when no origin is allowed', `${baseUrl}/api/core/system/jwks`, {}],
  ])('does not read %s', async (_what, target, init) => {
    if (page.url() !== address) await page.goto(address);
    const before = await shortName();
    expect(await readFrom(page, target, init)).toBeUndefined();
    expect(await shortName()).toBe(before);
    expect(await readFrom(own, target.replace(baseUrl, url), init)).toMatchObject({ status: 200 });
  });
});

test('the end of the session in the cookie removes the cookie, and no other session', async () => {
  const other = await openContext();
  const theirs = await openOwnPage(other, url);
  const id = `${decodeJwt(await logInWithCookie(theirs, user)).jti}`;
  const end = `${url}/api/core/account/sessions/end/${id}`;
  expect(await readFrom(theirs, end, { method: 'POST' })).toMatchObject({ status: 200 });
  expect(await other.cookies()).toEqual([]);
  expect(await readFrom(own, url + PING)).toMatchObject({ status: 200 });
  await other.close();
});

test('the browser sends the cookie until the logout, which removes it and ends the session', async () => {
  expect(await readFrom(own, url + PING)).toMatchObject({ status: 200 });
  await page.goto(`${app.sameSite}/`);
  expect(await readFrom(page, url + LOGOUT)).toMatchObject({ status: 200 });
  expect(await context.cookies()).toEqual([]);
  expect(await readFrom(own, url + PING)).toMatchObject({ status: 401 });
  expect(await readFrom(own, url + PING, { headers: { authorization: `Bearer ${jwt}` } })).toMatchObject({
    status: 401,
  });
});
