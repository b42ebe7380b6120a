import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { baseUrl, createUser } from '../integration/service.ts';
import { ATTEMPTS, type Attempt, FETCHED, type Paths } from './attempts.ts';
import { browser } from './browser.ts';
import { openSite } from './site.ts';
import { BLANK, logInVictim, logInWithCookie, openOwnPage, stateOf } from './victim.ts';

const site = await openSite();

const WAIT = { timeout: 10_000, interval: 10 };

const ROUTES: Paths = {
  lock: '/api/core/account/lock/{username}',
  create: '/api/core/token/create/{token_name}/{username}',
  update: '/api/core/account/profile-update',
  logout: '/api/core/account/logout',
};

interface Sender {
  readonly name: string;
  readonly origin: string;
  /** The attributes of the frame that the attempt stands in; without them it stands in the page itself. */
  readonly frame?: (html: string) => string;
  /** Those that it makes, where not all. */
  readonly attempts?: readonly Attempt[];
}

const SANDBOX = 'allow-scripts allow-forms allow-popups allow-top-navigation';
const quoted = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** What has no origin is sent the cookie along in new pages only, hence not tried in every way. */
const WITHOUT_ORIGIN = ATTEMPTS.filter(({ name }) =>
  /^(a form|fetch|an image|a frame|a link.*|a window)$/.test(name),
);

const OWN: Sender = { name: 'the service itself', origin: baseUrl };

const SENDERS: readonly Sender[] = [
  OWN,
  { name: 'another site', origin: site.crossSite },
  { name: 'another port of the same site', origin: site.sameSite },
  {
    name: 'a sandboxed frame of the same site',
    origin: site.sameSite,
    frame: (html) => `sandbox="${SANDBOX}" srcdoc="${quoted(html)}"`,
    attempts: WITHOUT_ORIGIN,
  },
  {
    name: 'a data: URL in a page of the same site',
    origin: site.sameSite,
    frame: (html) => `src="data:text/html,${encodeURIComponent(html)}"`,
    attempts: WITHOUT_ORIGIN,
  },
];

/** The statuses that the service has answered on a route so far. */
async function answered(path: keyof Paths): Promise<number[]> {
  const log = await readFile(join(inject('data'), 'functions.log'), 'utf8');
  const lines = log.split('\n').filter((line) => line.includes(` ${ROUTES[path]}"`));
  return lines.map((line) => JSON.parse(line).status as number);
}

/** Whether an attempt takes the page itself elsewhere. */
const leaves = (text: string, isFramed: boolean) =>
  text.includes('target=_top') || (!isFramed && /^<form|^<meta|location =/.test(text));

/** Opens a page that makes an attempt; answers the status of the service, if it was asked at all. */
async function make(page: Page, { html, path }: Attempt, sender: Sender, url: string) {
  const { frame } = sender;
  const before = await answered(path);
  const text = html(url, `${site.crossSite}/to?${encodeURIComponent(url)}`);
  const fetched = text.includes(FETCHED) && page.waitForEvent('console', (line) => line.text() === FETCHED);
  await page.setContent(frame ? `<iframe ${frame(text)}></iframe>` : text, { waitUntil: 'commit' });
  const link = (frame ? page.frameLocator('iframe') : page).locator('a');
  if (text.startsWith('<a ')) await link.click({ noWaitAfter: true });
  if (fetched) await fetched;
  // The service sees nothing of what the browser asks it about first. Its log comes a moment after the answer.
  if (!fetched || sender === OWN)
    await vi.waitUntil(async () => (await answered(path)).length > before.length, WAIT);
  // What is on its way would end the next attempt.
  if (leaves(text, frame !== undefined))
    await page.waitForURL((shown) => `${shown}`.startsWith(url), { waitUntil: 'commit' });
  return (await answered(path)).slice(before.length);
}

describe.each(SENDERS)('from $name', async (sender) => {
  const context = await browser.newContext();
  const home = await openOwnPage(context);
  const page = sender === OWN ? home : await context.newPage();
  let victim = await logInVictim(home);
  let other = await createUser();
  let state = await stateOf(victim, other);

  beforeEach(async () => {
    const blank = sender.origin + BLANK;
    if (page.url() !== blank) await page.goto(blank);
    if (state.session === 200 && !state.other?.['islocked']) return;
    if (state.session !== 200) victim = { ...victim, jwt: await logInWithCookie(home, victim) };
    if (state.other?.['islocked']) other = await createUser();
    state = await stateOf(victim, other);
  });

  test.each(sender.attempts ?? ATTEMPTS)('$path by $name', async (attempt) => {
    const path = ROUTES[attempt.path]
      .replace('{token_name}', 'stolen')
      .replace('{username}', (attempt.path === 'lock' ? other : victim).username);
    const statuses = await make(page, attempt, sender, baseUrl + path);
    const before = state;
    state = await stateOf(victim, other);
    if (sender === OWN && attempt.fromOwn) {
      expect(statuses).toEqual([200]);
      expect(state).not.toEqual(before);
    } else {
      expect(statuses).not.toContain(200);
      expect(state).toEqual(before);
    }
  });
});
