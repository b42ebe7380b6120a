import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type * as client from '#lib/client/index';
import { bundleClient } from '../../infra/client/build.ts';
import { newFolder } from '../integration/folder.ts';
import { startInstance } from '../integration/instance-process.ts';
import { noted } from '../integration/service.ts';
import { browser } from './browser.ts';
import { openSite } from './site.ts';
import { logInWithCookie, openOwnPage } from './victim.ts';

const app = await openSite();
const other = await openSite();
const password = noted(randomBytes(12).toString('base64url'));
const { ready } = await startInstance({
  data: await newFolder(),
  args: ['--memory'],
  env: {
    Settings__CorsAllowedOrigins: app.crossSite,
    Settings__BcryptCost: '10',
    ADMIN_PASSWORD: password,
  },
});
const { url } = ready;
const source = (await bundleClient()).outputFiles.map(({ text }) => text).join();

/** Of a page that has loaded the client. */
declare const window: { client: typeof client };

async function load(page: Page) {
  const text = JSON.stringify(source);
  await page.evaluate(
    `import(URL.createObjectURL(new Blob([${text}], { type: 'text/javascript' })))
      .then((client) => { window.client = client; })`,
  );
  return page;
}

/** What a page does with the client, and what came of it. */
const use = (page: Page) =>
  page.evaluate(
    async ([base, secret]) => {
      const { createClient } = window.client;
      const { account, token } = createClient({
        url: base,
        credential: { username: 'admin', password: secret },
      });
      const { user } = await account.profile();
      const listed: string[] = [];
      for await (const { username } of account.browse({ limit: 2 })) listed.push(username);
      const named = { token_name: `page-${Math.random().toString(36).slice(2)}`, username: 'admin' };
      const { value } = await token.create(named);
      let etag: string | null = null;
      await account.profile(
        {},
        {
          onHeaders: (headers) => {
            etag = headers.get('etag');
          },
        },
      );
      await account.profileUpdate({ user_short: 'PG' }, { ifMatch: etag ?? '' });
      const error = await token.create(named).catch((thrown) => thrown);
      await account.logout();
      const after = await createClient({ url: base, credential: { token: value } }).account.profile();
      const { name, code, status, requestId } = error;
      return { username: user.username, listed, after: after.user.user_short, name, code, status, requestId };
    },
    [url, password] as const,
  );

describe.each([
  ['the service itself', async () => openOwnPage(await browser.newContext(), url)],
  [
    'an allowed origin on another site',
    async () => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${app.crossSite}/`);
      return page;
    },
  ],
])('a page of %s', (_, open) => {
  test('logs in, lists, creates a token, updates what it has read, and meets typed errors', async () => {
    const { listed, requestId, ...rest } = await use(await load(await open()));
    expect(listed.length).toBeGreaterThan(2);
    expect(new Set(listed).size).toBe(listed.length);
    expect(requestId).toMatch(/\S/);
    expect(rest).toEqual({
      username: 'admin',
      after: 'PG',
      name: 'CoreAccountError',
      code: 'token_exists',
      status: 409,
    });
  });
});

test('without a credential a page of the service presents the cookie of its session', async () => {
  const page = await load(await openOwnPage(await browser.newContext(), url));
  const read = () =>
    page.evaluate(async (base) => {
      const { account } = window.client.createClient({ url: base });
      return account.profileUpdate({ user_short: 'CK' }).then(
        ({ user }) => user.user_short,
        ({ code }) => code,
      );
    }, url);
  expect(await read()).toBe('unauthenticated');
  await logInWithCookie(page, { username: 'admin', password });
  expect(await read()).toBe('CK');
});

test('a page of an origin that is not allowed gets no answer', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${other.crossSite}/`);
  await load(page);
  const code = await page.evaluate(
    (base) =>
      window.client
        .createClient({ url: base, tries: 1 })
        .system.jwks()
        .then(
          () => 'answered',
          ({ code }) => code,
        ),
    url,
  );
  expect(code).toBe('network_error');
});
