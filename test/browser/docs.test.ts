import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PARAMETERS } from '../../infra/openapi/texts/parameters.ts';
import { baseUrl, createUser, get } from '../integration/service.ts';
import { document } from '../openapi/checked.ts';
import { offencesOf, openContext, violations } from './browser.ts';

const LOGIN = 'tag/sessions/POST/api/core/account/login';
const CREATE_TOKEN = 'tag/tokens/POST/api/core/token/create/{token_name}/{username}';

/** Opens the documentation; answers the page and its offences. */
async function openDocs(width: number, colorScheme: 'light' | 'dark') {
  const context = await openContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const offences = offencesOf(page);
  await page.goto(`${baseUrl}/`);
  await page.getByRole('heading', { name: 'Log in', exact: true, level: 2 }).waitFor();
  return { page, offences };
}

// Loading the page costs more than most tests of it, so all tests share these two.
const phone = await openDocs(390, 'dark');
const desk = await openDocs(1280, 'light');

/** Faults that keep people out, once the page has settled. */
async function faults(page: Page, selector: string): Promise<string[]> {
  // The page completes a change in its next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done)))');
  // A dialog that still fades in has too little contrast.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().flatMap((each) => (each.effect.getComputedTiming().endTime < Infinity ? each.finished : [])))',
  );
  return (await violations(page, selector)).filter((fault) => /^(serious|critical)/.test(fault));
}

/** Unreachable parts of the open form and of the status tabs, and warnings; a text, since it runs in the page. */
const FAULTS = `(section) => {
  const shown = (selector, within) =>
    [...within.querySelectorAll(selector)].filter((each) => each.checkVisibility() && each.offsetWidth > 0);
  const right = (each) => each.getBoundingClientRect().right;
  const dialog = document.querySelector('[role=dialog]');
  return [
    ...shown('[data-addressbar-action=send], td, .cm-content', dialog).filter((each) => right(each) > innerWidth),
    ...shown('[role=alert]', dialog),
    ...shown('.tab', section).filter((each) => right(each) > right(each.closest('.scalar-card-header-title'))),
  ].map((each) => each.outerHTML.slice(0, 200));
}`;

/** By its attribute: computing the names of all buttons of the page takes long. */
const sendButton = (page: Page) => page.locator('[data-addressbar-action=send]:visible').first();

/** Goes to an operation and opens its form. */
async function openForm(page: Page, operation: string) {
  await page.goto(`${baseUrl}/api/core/docs#${operation}`);
  await page.locator(`[id$="/${operation}"]`).getByRole('button', { name: 'Test Request' }).click();
  await sendButton(page).waitFor();
}

async function closeForm(page: Page) {
  await page.keyboard.press('Escape');
  await page.locator('[role=dialog]').waitFor({ state: 'hidden' });
}

/** Submits the form and returns the service's answer. */
async function send(page: Page, path: string) {
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url() === `${baseUrl}${path}`),
    sendButton(page).click(),
  ]);
  return { status: response.status(), body: (await response.json()) as { data: Record<string, string> } };
}

test.each([
  ['a phone, dark', phone],
  ['a desk, light', desk],
])('the page, an operation and its form are accessible on %s', async (_, { page, offences }) => {
  expect(new URL(page.url()).pathname).toBe('/api/core/docs');
  expect(await faults(page, 'html')).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await openForm(page, LOGIN);
  expect(await faults(page, '[role=dialog]')).toEqual([]);
  await closeForm(page);
  expect(offences).toEqual([]);
});

test('the page logs in, uses the session token in one click and creates a token', async () => {
  const { username, password } = await createUser({ roles: ['sys_administrator'] });
  const { page, offences } = desk;
  await page.getByPlaceholder('Token').first().fill('typed.before');
  await openForm(page, LOGIN);
  const editor = page.locator('.cm-content[contenteditable=true]').first();
  expect(await editor.textContent()).toContain('"your.username"');
  expect(await page.getByRole('dialog').getByText('Bearer').filter({ visible: true }).count()).toBe(0);
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(JSON.stringify({ username, password }));
  expect((await send(page, '/api/core/account/login')).status).toBe(200);
  await page.getByRole('button', { name: 'Use this token' }).click();
  await closeForm(page);

  await openForm(page, CREATE_TOKEN);
  const example = PARAMETERS['username']?.example as string;
  await page.getByRole('combobox', { name: 'Value' }).filter({ hasText: example }).fill(username);
  const created = await send(page, `/api/core/token/create/laptop/${username}`);
  expect(created.status).toBe(200);
  const token = created.body.data['value'] as string;
  expect((await get('/api/core/system/ping', { headers: { authorization: `Token ${token}` } })).status).toBe(
    200,
  );
  await closeForm(page);
  expect(offences).toEqual([]);
});

test('the quick start of the page runs as it is for an account without roles', async () => {
  const { username, password } = await createUser();
  const shown = await desk.page.locator('pre', { hasText: 'SESSION=' }).first().innerText();
  expect(shown).toContain(`URL=${baseUrl}\n`);
  const script = shown.replace('your.username', username).replace('your password', password);
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  expect(stdout).toMatch(new RegExp(`"username":"${username}".*"message":"Token List"`, 's'));
});

test('the search of the page finds sections of the guide and codes of failures', async () => {
  const { page } = desk;
  for (const title of ['Ways to authenticate', 'token_exists']) {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').first().fill(title);
    const found = page.getByRole('option').filter({ hasText: new RegExp(`Heading.*${title}`, 's') });
    await found.first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
  }
});

const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { tags, parameters = [], requestBody, responses }]) => ({
    anchor: `tag/${tags[0]?.toLowerCase()}/${method.toUpperCase()}${path}`,
    parts: [
      ...parameters.map(({ in: place, schema }) => `${place} ${schema.type} ${'enum' in schema}`),
      ...Object.keys(requestBody?.content ?? {}),
      ...Object.keys(responses).map((_, nth) => `status ${nth}`),
    ],
  })),
);

/** Operations by length of their path that have a kind of parameter, a type of body or more statuses than all before. */
const kinds = new Set<string>();
const DIFFERENT = OPERATIONS.toSorted((one, other) => other.anchor.length - one.anchor.length).filter(
  ({ parts }) => {
    const known = kinds.size;
    for (const part of parts) kinds.add(part);
    return kinds.size > known;
  },
);

test('every kind of part of a form fits a phone, without a warning, and all status tabs are in their card', async () => {
  const { page } = phone;
  for (const { anchor } of DIFFERENT) {
    await openForm(page, anchor);
    const its = `document.querySelector('[id$="/${anchor}"]')`;
    expect(await page.evaluate(`(${FAULTS})(${its})`), anchor).toEqual([]);
    await closeForm(page);
    await page.locator(`[id$="/${anchor}"]`).focus();
    expect(await page.evaluate(`getComputedStyle(${its}).outlineStyle`), anchor).toBe('none');
  }
});
