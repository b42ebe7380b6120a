import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../integration/folder.ts';
import { startInstance } from '../integration/instance-process.ts';
import { admin, baseUrl, noted } from '../integration/service.ts';
import { browser } from './browser.ts';
import { openSite } from './site.ts';
import { logInWithCookie, openOwnPage } from './victim.ts';

const PROFILE = '/api/core/account/profile';
const PING = '/api/core/system/ping';
const LOGOUT = '/api/core/account/logout';
const UPDATE = '/api/core/account/profile-update';
const CREATE = '/api/core/token/create/logintoken';

const app = await openSite();
const other = await openSite();
// Unlike a data: URL, it comes from loopback, from which alone Chromium lets pages ask loopback.
other.put('/sandboxed', { headers: { 'content-security-policy': 'sandbox allow-scripts' }, body: 'A page' });
const password = noted(randomBytes(12).toString('base64url'));
const { ready } = await startInstance({
  data: await newFolder(),
  args: ['--no-demo', '--memory'],
  env: {
    Settings__CorsAllowedOrigins: `${app.sameSite},${app.crossSite}`,
    Settings__BcryptCost: '10',
    ADMIN_PASSWORD: password,
  },
});
const { url } = ready;
const authorization = `Token ${noted(ready.admin.token as string)}`;
const context = await browser.newContext();
const own = await openOwnPage(context, url);
const user = { username: ready.admin.username, password };
const jwt = await logInWithCookie(own, user);
const page = await context.newPage();

interface Init {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const json = (value: object): Init => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** What a page reads of an answer, with the cookie; undefined where the browser does not show it the answer. */
const readFrom = (asking: typeof page, target: string, init: Init = {}) =>
  asking.evaluate(
    async ([to, options]) => {
      const response = await fetch(to, { ...options, credentials: 'include' }).catch(() => undefined);
      return (
        response && {
          status: response.status,
          id: response.headers.get('x-request-id'),
          text: await response.text(),
        }
      );
    },
    [target, init] as const,
  );

const shortName = async () =>
  JSON.parse((await readFrom(own, url + PROFILE))?.text ?? '').data.user.user_short;

test('a login with createCookie sets a cookie of the session that no script can read', async () => {
  const [cookie, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(cookie).toEqual({
    name: 'ptoken',
    value: jwt,
    domain: '127.0.0.1',
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    // Over plain http on loopback; elsewhere it is.
    secure: false,
    expires: expect.closeTo(decodeJwt(jwt).exp ?? 0, -2),
  });
  expect(await own.evaluate('document.cookie')).toBe('');
  await own.evaluate('document.cookie = "other=1; Max-Age=60"');
  expect(await own.evaluate('document.cookie'), 'a cookie that scripts can read').toBe('other=1');
});

describe('a page of an allowed origin', () => {
  test('of the same site reads and changes with the cookie', async () => {
    await page.goto(`${app.sameSite}/`);
    const reply = await readFrom(page, url + PROFILE);
    expect(reply).toEqual({
      status: 200,
      id: expect.any(String),
      text: expect.stringContaining('"username":"admin"'),
    });
    expect(await readFrom(page, url + UPDATE, json({ user_short: 'AP' }))).toMatchObject({ status: 200 });
    expect(await shortName()).toBe('AP');
  });

  test('of another site is not sent the cookie along, and calls with a header', async () => {
    await page.goto(`${app.crossSite}/`);
    expect(await readFrom(page, url + PROFILE)).toMatchObject({ status: 401 });
    expect(await readFrom(page, url + PROFILE, { headers: { authorization } })).toMatchObject({
      status: 200,
    });
  });
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
    ['what it changes', url + UPDATE, json({ user_short: 'EV' })],
    ['what it creates', url + CREATE, { method: 'POST' }],
    ['where no origin is allowed', baseUrl + PROFILE, { headers: { authorization: `Token ${admin.token}` } }],
    ['the public keys where no origin is allowed', `${baseUrl}/api/core/system/jwks`, {}],
  ])('reads nothing: %s', async (_what, target, init) => {
    if (page.url() !== address) await page.goto(address);
    const before = await shortName();
    expect(await readFrom(page, target, init)).toBeUndefined();
    expect(await shortName()).toBe(before);
    // The same from the service's own origin.
    if (target.startsWith(url)) expect(await readFrom(own, target, init)).toMatchObject({ status: 200 });
  });

  test('reads no answer in a frame', async () => {
    if (page.url() !== address) await page.goto(address);
    await page.setContent(`<iframe src="${url}${PROFILE}"></iframe>`);
    expect(await page.evaluate('document.querySelector("iframe").contentDocument')).toBeNull();
  });
});

test('the browser sends the cookie along until the logout, which takes it away and ends the session', async () => {
  expect(await readFrom(own, url + PING)).toMatchObject({ status: 200 });
  await page.goto(`${app.sameSite}/`);
  expect(await readFrom(page, url + LOGOUT)).toMatchObject({ status: 200 });
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['other']);
  expect(await readFrom(own, url + PING)).toMatchObject({ status: 401 });
  expect(await readFrom(own, url + PING, { headers: { authorization: `Bearer ${jwt}` } })).toMatchObject({
    status: 401,
  });
});
