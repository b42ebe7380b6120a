import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { baseUrl, createUser, type User } from '../../integration/service.ts';
import { offencesOf, openContext } from '../browser.ts';
import { BLANK } from '../victim.ts';

export const PAGE = `${baseUrl}/api/core/admin`;

const POLICY = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('violates', violatedDirective, blockedURI))`;

/** Pages that tests have closed: a new profile with its process costs more CPU than most tests spend in it. */
const closed: Awaited<ReturnType<typeof newPage>>[] = [];

/** Opens a page in a profile of its own; its offences include violations of its policy, but no refusals. */
async function newPage() {
  const context = await openContext();
  await context.addInitScript(POLICY);
  const page = await context.newPage();
  const offences = offencesOf(page, /status of (4|503)/);
  return { page, context, offences };
}

/** Opens the page in a profile without traces of other tests. */
export async function openPage({ address = '', cookie = '' } = {}) {
  let opened = closed.pop();
  // Pages of another file were closed at its end.
  if (!opened || opened.page.isClosed()) opened = await newPage();
  const { page, context, offences } = opened;
  offences.length = 0;
  if (cookie) await context.addCookies([{ name: 'ptoken', value: cookie, url: baseUrl, httpOnly: true }]);
  await page.goto(PAGE + address);
  const close = async () => {
    await page.unrouteAll();
    await page.goto(baseUrl + BLANK);
    await Promise.all([context.clearCookies(), context.clearPermissions()]);
    closed.push(opened);
  };
  return { page, offences, close };
}

export async function logIn(page: Page, { username, password }: Pick<User, 'username' | 'password'>) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

export const createAdministrator = () => createUser({ roles: ['sys_administrator'] });

/** Opens the page in a session of a new administrator. */
export async function openAsAdministrator(address = '') {
  const user = await createAdministrator();
  return { ...(await openPage({ address, cookie: await user.logIn() })), user };
}

/** The header of the listing of the screen as CSV, and its lines. */
export async function downloadCsv(
  page: Page,
  click = (button: Locator) => button.click(),
  name: string | RegExp = /^Download/,
) {
  const button = page.getByRole('button', { name });
  await button.waitFor();
  const format = page.getByLabel('Format', { exact: true });
  if ((await format.isVisible()) && (await format.inputValue()) === 'xlsx')
    await format.selectOption('comma');
  const download = page.waitForEvent('download');
  await click(button);
  const [head = '', ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  return { head, lines };
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** Creates accounts whose names have a text in common, which it answers. */
export async function createAlike(number: number, profile: object = {}) {
  const { username: prefix } = await createUser();
  const users = await Promise.all(
    Array.from({ length: number }, (_, index) => createUser({ username: `${prefix}-${index}`, ...profile })),
  );
  return { prefix: `${prefix}-`, users };
}

/** Places of the page that contain one of these secrets: its address, its stores, its elements or the values of its fields. */
export const traces = (page: Page, secrets: readonly string[]): Promise<string[]> =>
  page.evaluate(
    `[location.href, document.documentElement.outerHTML, document.cookie, JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }), ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)]
      .filter((text) => ${JSON.stringify(secrets)}.some((secret) => text.includes(secret)))`,
  );
