import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bundleClient } from '../../infra/client/build.ts';
import { PARAMETERS } from '../../infra/openapi/texts/parameters.ts';
import { baseUrl, createUser, get, type User } from '../integration/service.ts';
import { document } from '../openapi/checked.ts';
import { newFolder } from '../unit/support/folder.ts';
import { offencesOf, openContext, violations } from './browser.ts';

const LOGIN = 'tag/sessions/POST/api/core/account/login';
const PROFILE = 'tag/accounts/GET/api/core/account/profile';
const CREATE_LOGIN_TOKEN = 'tag/tokens/POST/api/core/token/create/logintoken';
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
async function openForm(page: Page, operation: string, origin = baseUrl) {
  await page.goto(`${origin}/api/core/docs#${operation}`);
  await page.locator(`[id$="/${operation}"]`).getByRole('button', { name: 'Test Request' }).click();
  await sendButton(page).waitFor();
}

async function closeForm(page: Page) {
  await page.keyboard.press('Escape');
  await page.locator('[role=dialog]').waitFor({ state: 'hidden' });
}

/** Submits the form and returns the credential that it sent and the service's answer. */
async function send(page: Page, path: string, origin = baseUrl) {
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url() === `${origin}${path}`),
    sendButton(page).click(),
  ]);
  const { authorization } = await response.request().allHeaders();
  const body = (await response.json()) as { data: Record<string, string> };
  return { authorization, status: response.status(), body };
}

/** Opens the form of the login, fills it in and submits it. */
async function logIn(page: Page, { username, password }: User, more = {}) {
  await openForm(page, LOGIN);
  await page.locator('.cm-content[contenteditable=true]').first().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(JSON.stringify({ username, password, ...more }));
  return send(page, '/api/core/account/login');
}

/** Uses the token of the answer, and closes the form. */
async function useToken(page: Page) {
  await page.getByRole('button', { name: 'Use this token' }).click();
  await page.getByRole('status').getByText('Requests now use this token').waitFor();
  expect(await page.evaluate('document.activeElement.role')).toBe('dialog');
  await closeForm(page);
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

test('each of the four cards has a sentence, an example that one click copies, and a link to its section', async () => {
  const { page, offences } = desk;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${baseUrl}/api/core/docs`);
  await page.getByRole('heading', { name: 'Log in', exact: true, level: 2 }).waitFor();
  const cards = page.locator('.cards article');
  expect(await cards.getByRole('heading').allTextContents()).toEqual([
    'Log in',
    'Create a token',
    'Receive an event',
    'Handle an error',
  ]);
  for (const [nth, section] of ['Log in', 'API tokens', 'Webhooks', 'Errors'].entries()) {
    const card = cards.nth(nth);
    expect(await card.locator('p').innerText()).toMatch(/^[A-Z].{20,150}\.$/);
    await card.getByRole('button', { name: 'Copy' }).click();
    await card.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await card.locator('pre').textContent());
    expect(copied).not.toContain('example.com');
    await card.getByRole('link').click();
    const heading = page
      .locator('#docs')
      .getByRole('heading', { name: section, exact: section !== 'Webhooks' });
    await expect.poll(async () => (await heading.first().boundingBox())?.y).toBeLessThan(200);
    expect((await heading.first().boundingBox())?.y).toBeGreaterThanOrEqual(0);
  }
  expect(offences).toEqual([]);
});

test('the requests of the cards succeed as they are, and a refusal is as its card shows', async () => {
  const user = await createUser({ roles: ['sys_administrator'] });
  const [login = '', create = '', , refusal = ''] = await desk.page.locator('.cards pre').allTextContents();
  const run = async (command: string) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    return JSON.parse(stdout) as { success: boolean; data: Record<string, string> };
  };
  const filled = login.replace('your.username', user.username).replace('your password', user.password);
  const { JWTtoken } = (await run(filled)).data;
  const created = await run(
    create.replace('your.username', user.username).replace('<session token>', JWTtoken as string),
  );
  expect(created).toMatchObject({ success: true, data: { value: expect.stringMatching(/^cst_/) } });
  const stranger = await createUser();
  const { body } = await get('/api/core/account/browse', { token: await stranger.token('ci') });
  const times = { requestID: expect.any(String), executed_at: expect.any(String) };
  expect(body).toEqual({ ...JSON.parse(refusal), ...times });
});

test("the page links to the administrator's page, in its colours", async () => {
  const page = await desk.page.context().newPage();
  await page.goto(`${baseUrl}/api/core/docs`);
  const colours = () =>
    page.evaluate(
      "['--back', '--accent'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name))",
    );
  const own = await colours();
  await page.getByRole('link', { name: 'Administrator’s page' }).click();
  await page.waitForURL(`${baseUrl}/api/core/admin`);
  expect(own).toEqual(await colours());
  await page.close();
});

test('the page sends no credential from an empty field, so that a login with a cookie is enough', async () => {
  const { page } = phone;
  const { authorization, status } = await logIn(page, await createUser(), { createCookie: true });
  expect([authorization, status]).toEqual([undefined, 200]);
  await closeForm(page);
  await openForm(page, PROFILE);
  const profile = await send(page, '/api/core/account/profile');
  expect([profile.authorization, profile.status]).toEqual([undefined, 200]);
  await closeForm(page);
  await page.context().clearCookies();
});

test('the page logs in, uses the session token in one click and creates a token', async () => {
  const user = await createUser({ roles: ['sys_administrator'] });
  const { username } = user;
  const { page, offences } = desk;
  await page.getByPlaceholder('Token').first().fill('typed.before');
  await openForm(page, LOGIN);
  const editor = page.locator('.cm-content[contenteditable=true]').first();
  expect(await editor.textContent()).toContain('"your.username"');
  expect(await page.getByRole('dialog').getByText('Bearer').filter({ visible: true }).count()).toBe(0);
  await closeForm(page);
  expect((await logIn(page, user)).status).toBe(200);
  expect(await faults(page, '[role=dialog]')).toEqual([]);
  await useToken(page);

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

test('the page uses a login token in one click, until another credential is entered or used', async () => {
  const user = await createUser({ roles: ['sys_tokens'] });
  const { page, offences } = desk;
  const login = await logIn(page, user);
  await useToken(page);
  await openForm(page, CREATE_LOGIN_TOKEN);
  const created = await send(page, '/api/core/token/create/logintoken');
  expect([created.authorization, created.status]).toEqual([`Bearer ${login.body.data['JWTtoken']}`, 200]);
  await useToken(page);

  await openForm(page, PROFILE);
  const used = await send(page, '/api/core/account/profile');
  expect([used.authorization, used.status]).toEqual([`Token ${created.body.data['value']}`, 200]);
  expect(offences).toEqual([]);
  await page
    .getByRole('dialog')
    .getByPlaceholder('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT')
    .fill('Token other');
  expect((await send(page, '/api/core/account/profile')).authorization).toBe('Token other');
  await closeForm(page);

  const again = await logIn(page, user);
  await useToken(page);
  await openForm(page, PROFILE);
  const last = await send(page, '/api/core/account/profile');
  expect([last.authorization, last.status]).toEqual([`Bearer ${again.body.data['JWTtoken']}`, 200]);
  await closeForm(page);
});

test('the page sends requests to its own origin without a double slash when the document has another server', async () => {
  const origin = baseUrl.replace('127.0.0.1', 'localhost');
  const page = await (await openContext()).newPage();
  await page.route('**/openapi.json', async (route) => {
    const json = { ...(await (await route.fetch()).json()), servers: [{ url: `${baseUrl}/` }] };
    await route.fulfill({ json });
  });
  await page.goto(origin);
  await page.getByRole('heading', { name: 'Log in', exact: true, level: 2 }).waitFor();
  expect(await page.locator('body').innerText()).not.toMatch(/[^:]\/\/(?!\/)/);
  await openForm(page, LOGIN, origin);
  expect((await send(page, '/api/core/account/login', origin)).status).toBe(401);
});

test('the quick start of the page runs as it is for an account without roles', async () => {
  const { username, password } = await createUser();
  const shown = await desk.page.locator('pre', { hasText: 'SESSION=' }).first().innerText();
  expect(shown).toContain(`URL=${baseUrl}\n`);
  const script = shown.replace('your.username', username).replace('your password', password);
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  expect(stdout).toMatch(new RegExp(`"username":"${username}".*"message":"Token List"`, 's'));
});

test('the example of the client on the page runs with the packaged client', async () => {
  const { username, password } = await createUser();
  const shown = await desk.page.locator('pre', { hasText: 'createClient' }).first().innerText();
  expect(shown).toContain(`url: '${baseUrl}'`);
  const folder = newFolder();
  const installed = join(folder, 'node_modules/core-account-client');
  await mkdir(installed, { recursive: true });
  const source = (await bundleClient()).outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  await writeFile(join(installed, 'index.mjs'), source);
  await writeFile(join(installed, 'package.json'), '{"exports":"./index.mjs"}');
  const script = shown.replace('your.username', username).replace('your password', password);
  await writeFile(join(folder, 'example.mjs'), script);
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'example.mjs')]);
  expect(stdout).toContain(username);
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

test.each(['forget', 'forget person', 'delete person', 'GDPR'])(
  'the search of the page finds the erasure of an account by "%s"',
  async (words) => {
    const { page } = desk;
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').first().fill(words);
    await page.getByRole('option').filter({ hasText: 'account/erase' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
  },
);

const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { tags, parameters = [], requestBody, responses }]) => ({
    anchor: `tag/${tags[0]?.toLowerCase()}/${method.toUpperCase()}${path}`,
    parts: [
      // Others are references to the headers of a batch.
      ...parameters.flatMap((each) =>
        'schema' in each ? `${each.in} ${each.schema.type} ${'enum' in each.schema}` : [],
      ),
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
