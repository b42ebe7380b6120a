import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { baseUrl, createUser } from '../integration/service.ts';
import { openContext } from './browser.ts';
import { openSite } from './site.ts';
import { BLANK, logInVictim, logInWithCookie, openOwnPage, stateOf } from './victim.ts';

// Rules: test/unit/auth/cross-site.test.ts. This shows the headers that a browser really sends.
const site = await openSite();

const ROUTES = {
  lock: '/api/core/account/lock/{username}',
  create: '/api/core/token/create/{token_name}/{username}',
  update: '/api/core/account/profile-update',
  logout: '/api/core/account/logout',
};

/** A page writes this to its console when a fetch has ended; the service may have seen nothing of it. */
const FETCHED = 'fetched';
const fetching = (url: string, init: string) =>
  `<script>fetch('${url}', { credentials: 'include', ${init} }).catch(() => undefined)
    .finally(() => console.log('${FETCHED}'))</script>`;
const submitting = (url: string) =>
  `<form action="${url}" method=post></form><script>document.forms[0].submit()</script>`;
const JSON_BODY = `method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"user_short":"="}'`;

/** Ways in which a page makes a browser send something, and whether the service's own pages achieve it. */
const ATTEMPTS: [keyof typeof ROUTES, string, boolean, (url: string, redirected: string) => string][] = [
  ['lock', 'a form', true, submitting],
  ['lock', 'a form that is redirected', false, (_, url) => submitting(url)],
  ['lock', 'fetch without CORS', true, (url) => fetching(url, `method: 'POST', mode: 'no-cors'`)],
  ['create', 'fetch', true, (url) => fetching(url, `method: 'POST'`)],
  ['update', 'fetch of JSON', true, (url) => fetching(url, JSON_BODY)],
  ['logout', 'an image', false, (url) => `<img src="${url}">`],
  ['logout', 'a frame', true, (url) => `<iframe src="${url}"></iframe>`],
  ['logout', 'a link', true, (url) => `<a href="${url}" target=_top>x</a>`],
];

const SENDERS = [
  ['the service itself', baseUrl],
  ['another site', site.crossSite],
  ['another port of the same site', site.sameSite],
];

/** The statuses that the service has answered on a route so far, except to users of other tests. */
async function answered(route: string, userid: string): Promise<number[]> {
  const log = await readFile(join(inject('data'), 'functions.log'), 'utf8');
  const lines = log.split('\n').filter((line) => line.includes(` ${route}"`));
  return lines
    .map((line) => JSON.parse(line) as { userid?: string; status: number })
    .filter((line) => (line.userid ?? userid) === userid)
    .map(({ status }) => status);
}

describe.each(SENDERS)('a page of %s', async (_sender, origin) => {
  const context = await openContext();
  const home = await openOwnPage(context);
  const page = origin === baseUrl ? home : await context.newPage();
  let victim = await logInVictim(home);
  let other = await createUser();
  let state = await stateOf(victim, other);

  beforeEach(async () => {
    if (page.url() !== origin + BLANK) await page.goto(origin + BLANK);
    if (state.session !== 200) victim = { ...victim, jwt: await logInWithCookie(home, victim) };
    if (state.other?.['islocked']) other = await createUser();
    state = await stateOf(victim, other);
  });

  /** Opens a page that makes the attempt; answers the statuses of the service. */
  async function attempt(route: string, html: string, url: string): Promise<number[]> {
    const statuses = () => answered(route, victim.account.id);
    const before = await statuses();
    const ended = html.includes(FETCHED) && page.waitForEvent('console', (line) => line.text() === FETCHED);
    await page.setContent(html, { waitUntil: 'commit' });
    if (html.startsWith('<a ')) await page.locator('a').click({ noWaitAfter: true });
    await ended;
    // The service sees nothing that fails the browser's own check first. Its log comes a moment after the answer.
    if (!ended || origin === baseUrl)
      await expect.poll(statuses, { interval: 10 }).not.toHaveLength(before.length);
    // A navigation that is under way would end the next attempt.
    if (html.includes('_top') || html.startsWith('<form'))
      await page.waitForURL((shown) => `${shown}`.startsWith(url), { waitUntil: 'commit' });
    return (await statuses()).slice(before.length);
  }

  test.each(ATTEMPTS)(
    'reaches %s by %s only when it is of the own origin',
    async (path, _name, isOwn, htmlOf) => {
      const { username } = path === 'lock' ? other : victim;
      const url = baseUrl + ROUTES[path].replace('{token_name}', 'stolen').replace('{username}', username);
      const html = htmlOf(url, `${site.crossSite}/to?${encodeURIComponent(url)}`);
      const statuses = await attempt(ROUTES[path], html, url);
      const before = state;
      state = await stateOf(victim, other);
      if (origin === baseUrl && isOwn) {
        expect(statuses).toEqual([200]);
        expect(state).not.toEqual(before);
      } else {
        expect(statuses).not.toContain(200);
        expect(state).toEqual(before);
      }
    },
  );
});
