import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type * as client from '#lib/client/index';
import { bundleClient } from '../../infra/client/build.ts';
import { startInstance } from '../integration/instance-process.ts';
import { newPasswordText, uniqueName } from '../integration/service.ts';
import { newFolder } from '../unit/support/folder.ts';
import { openContext } from './browser.ts';
import { openService } from './service.ts';
import { openSite } from './site.ts';
import { BLANK, logInWithCookie } from './victim.ts';

const allowed = await openSite();
const password = newPasswordText();
const services = await Promise.all([1, 2, 3, 4, 5].map(() => openService(() => url)));
const { ready } = await startInstance({
  data: newFolder(),
  args: ['--memory'],
  env: {
    Settings__CorsAllowedOrigins: allowed.crossSite,
    Settings__Resources: JSON.stringify(services.map((audience) => ({ audience }))),
    Settings__BcryptCost: '10',
    ADMIN_PASSWORD: password,
  },
});
const { url } = ready;
const source = (await bundleClient()).outputFiles.find(({ path }) => path.endsWith('.js'))?.text;

/** The window of a page that has loaded the client. */
declare const window: { client: typeof client };

async function pageOf(origin: string): Promise<Page> {
  const page = await (await openContext()).newPage();
  await page.goto(origin + BLANK);
  await page.evaluate(
    `import(URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/javascript' })))
      .then((client) => { window.client = client; })`,
  );
  return page;
}

test.each([
  ['the service itself', url],
  ['an allowed origin on another site', allowed.crossSite],
])('the client works on a page of %s', async (_, origin) => {
  const page = await pageOf(origin);
  const used = await page.evaluate(
    async ([base, secret, token_name]) => {
      const credential = { username: 'admin', password: secret };
      const { account, token } = window.client.createClient({ url: base, credential });
      const named = { token_name, username: 'admin' };
      await token.create(named);
      const etags: (string | null)[] = [];
      await account.profile({}, { onHeaders: (headers) => etags.push(headers.get('etag')) });
      const { user } = await account.profileUpdate({ user_short: 'PG' }, { ifMatch: etags[0] ?? '' });
      const { name, code, requestId } = await token.create(named).catch((error) => error);
      return { name, code, hasId: Boolean(requestId), short: user.user_short };
    },
    [url, password, uniqueName('page')] as const,
  );
  const error = { name: 'CoreAccountError', code: 'token_exists', hasId: true };
  expect(used).toEqual({ ...error, short: 'PG' });
});

test('the client presents the cookie of a session when it has no credential', async () => {
  const page = await pageOf(url);
  const update = () =>
    page.evaluate(async (base) => {
      const updated = window.client.createClient({ url: base }).account.profileUpdate({ user_short: 'CK' });
      return updated.then(({ user }) => user.user_short).catch(({ code }) => code);
    }, url);
  expect(await update()).toBe('unauthenticated');
  await logInWithCookie(page, { username: 'admin', password });
  expect(await update()).toBe('CK');
});

test('a page that logs in once calls five services, which accept only tokens of their own', async () => {
  const page = await pageOf(allowed.crossSite);
  const sent: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === url && request.method() === 'POST') sent.push(pathname.replace('/api/core/', ''));
  });
  const statuses = await page.evaluate(
    async ([base, secret, audiences]) => {
      const credential = { username: 'admin', password: secret };
      const { tokenFor } = window.client.createClient({ url: base, credential });
      const call = async (service: string, audience: string) => {
        const headers = { authorization: `Bearer ${await tokenFor(audience)}` };
        return (await fetch(service, { headers })).status;
      };
      const calls = (service: string) => Promise.all(audiences.map((audience) => call(service, audience)));
      return Promise.all(audiences.map(calls));
    },
    [url, password, services] as const,
  );
  const own = services.map((service) => services.map((audience) => (audience === service ? 200 : 401)));
  expect(statuses).toEqual(own);
  expect(sent).toEqual(['account/login', ...Array(5).fill('oauth/token')]);
});

test('the client of a page with a cookie gets no token of another service, and asks for none', async () => {
  const page = await pageOf(url);
  await logInWithCookie(page, { username: 'admin', password });
  const thrown = await page.evaluate(
    async ([base, audience]) => {
      const asked = window.client.createClient({ url: base }).tokenFor(audience as string);
      return asked.catch((error) => [error instanceof TypeError, `${error.message}`]);
    },
    [url, ...services] as const,
  );
  expect(thrown).toEqual([true, expect.stringMatching(/^tokenFor needs a credential/)]);
});
