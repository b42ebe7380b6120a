import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { administrator, baseUrl, createUser, noted } from '../../integration/service.ts';
import { openSite } from '../site.ts';
import { createAlike, heading, openAsAdministrator, openPage, PAGE, traces } from './page.ts';

test('another origin cannot frame or read the page of a session, or keep a handle on it', async () => {
  const site = await openSite();
  const { page, close } = await openAsAdministrator();
  site.put('/frame', { body: `<!doctype html><iframe src="${PAGE}"></iframe>` });
  await page.goto(`${site.sameSite}/frame`);
  const [frame] = page.mainFrame().childFrames();
  expect(await frame?.evaluate('location.href').catch(() => 'refused')).not.toContain(PAGE);
  const read = `fetch('${PAGE}', { credentials: 'include' }).then((answer) => answer.text(), () => 'refused')`;
  expect(await page.evaluate(read)).toBe('refused');
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`void (window.held = open('${PAGE}'))`),
  ]);
  await heading(opened, 'People').waitFor();
  expect(await page.evaluate('held.closed')).toBe(true);
  // A window behind another draws one frame a second, and a click waits for two.
  await opened.close();
  await close();
});

test('the page of a user without the role requests no data of other accounts at any address', async () => {
  const user = await createUser();
  const { page, offences, close } = await openPage({
    address: '#me?part=password',
    cookie: await user.logIn(),
  });
  const requested = new Set<string>();
  page.on('response', (response) => {
    if (response.status() === 200) requested.add(new URL(response.url()).pathname);
  });
  for (const address of ['#accounts', '#account?username=admin', '#teams', '#owners', '#events']) {
    await page.evaluate(`location.hash = '${address}'`);
    await page.reload();
    await heading(page, 'Your account').waitFor();
    await page.getByText('An administrator can change your roles').waitFor();
    expect(await page.getByRole('navigation', { name: 'Screens' }).count()).toBe(0);
    expect(await page.getByRole('table').count()).toBe(0);
  }
  const own = ['/api/core/admin', '/api/core/account/profile'];
  expect([...requested].filter((path) => !path.endsWith('.js') && !path.endsWith('.css')).toSorted()).toEqual(
    own.toSorted(),
  );
  expect(offences).toEqual([]);
  await close();
});

test('the page of a locked administrator requires a login at the next click', async () => {
  const { page, user, close } = await openAsAdministrator('#accounts');
  await page.getByRole('table').waitFor();
  await administrator.account.lock({ username: user.username });
  await page.getByRole('link', { name: 'Teams' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Leave, and log in as another person' }).click();
  await heading(page, 'Log in').waitFor();
  await close();
});

/** Opens the field of a value in its place. */
const edit = (page: Page, label: string) => page.getByRole('button', { name: `Edit ${label}` }).click();

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();

test('a profile that another administrator saved first is shown with those changes, and keeps the input', async () => {
  const { users } = await createAlike(1, { user_first_name: 'Ada', user_last_name: 'King' });
  const username = `${users[0]?.username}`;
  const address = `#account?username=${username}`;
  const [one, other] = await Promise.all([openAsAdministrator(address), openAsAdministrator(address)]);
  await edit(one.page, 'First name');
  for (const label of ['First name', 'Last name']) await edit(other.page, label);
  await one.page.getByLabel('First name', { exact: true }).fill('Augusta');
  await save(one.page);
  await one.page.getByText(/^First name of .* saved/).waitFor();
  const field = other.page.getByLabel('Last name', { exact: true });
  await field.fill('Lovelace');
  await field.press('Enter');
  await other.page.getByRole('alert').waitFor();
  expect(await field.inputValue()).toBe('Lovelace');
  await other.page.getByText('Another person saved “Augusta”').waitFor();
  await field.press('Enter');
  await other.page.getByText(/^Last name of .* saved/).waitFor();
  const { user } = await administrator.account.profile({ username, pscope: ['user'] });
  expect(user).toMatchObject({ user_first_name: 'Augusta', user_last_name: 'Lovelace' });
  await one.close();
  await other.close();
});

test('a token that another administrator has deleted disappears once its refusal was read', async () => {
  const user = await createUser();
  await user.token('ci');
  const { page, close } = await openAsAdministrator(`#account?username=${user.username}&part=tokens`);
  await page.getByRole('button', { name: 'Rotate' }).click();
  await administrator.token.delete({ username: user.username, token_name: 'ci' });
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('No token yet').waitFor();
  await close();
});

/** Opens the dialog of an action, and sends its requests. */
async function send(page: Page, action: string) {
  if (action === 'Log out') {
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  } else await page.getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
}

test('the page reports an unknown outcome when a dialog or a screen is left while a request hangs', async () => {
  const { username } = await createUser();
  const { page, close } = await openAsAdministrator(`#accounts?q=${username}`);
  await page.getByRole('link', { name: username }).click();
  await page.route(/account.(lock|sessions.end)/, () => {});
  for (const [action, leave] of [
    ['Log out', () => page.keyboard.press('Escape')],
    ['Lock', () => page.keyboard.press('Escape')],
    ['Lock', () => page.goBack()],
  ] as const) {
    const hangs = page.waitForRequest(/account.(lock|sessions.end)/);
    await send(page, action);
    await hangs;
    await leave();
    await page.getByRole('alert').getByText('You stopped waiting').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await heading(page, 'People').waitFor();
  await close();
});

/** Opens a lock of six accounts, of which the first is done and the others wait. */
async function lockSome() {
  const { prefix } = await createAlike(6);
  const opened = await openAsAdministrator(`#accounts?q=${prefix}`);
  const { page } = opened;
  const others = Promise.withResolvers<void>();
  const done = page.waitForResponse('**/account/lock/**');
  let sent = 0;
  await page.route('**/account/lock/**', async (route) => {
    if (++sent > 1) await others.promise;
    await route.continue();
  });
  await page.getByLabel('Select all on this page').check();
  await send(page, 'Lock');
  await done;
  await expect.poll(() => sent).toBe(5);
  return { ...opened, goOn: others.resolve };
}

test('the page reports which changes are done, unknown and not sent when a change of several accounts is stopped', async () => {
  const { page, close } = await lockSome();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByText('It failed for 5 people').waitFor();
  expect(await page.getByRole('alert').getByText('You stopped waiting').count()).toBe(4);
  expect(await page.getByRole('alert').getByText('Not sent').count()).toBe(1);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('5 people selected').waitFor();
  let requests = 0;
  page.on('request', () => requests++);
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear' }).click();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  expect(requests).toBe(0);
  await close();
});

test('an administrator who loses the role in a change of several accounts reads what was done', async () => {
  const { page, user, goOn, close } = await lockSome();
  await administrator.account.access({ username: user.username, remove: { roles: ['sys_administrator'] } });
  goOn();
  await page.getByText('It failed for 5 people').waitFor();
  await page.getByText('Your account').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Close' }).click();
  await heading(page, 'Your account').waitFor();
  await close();
});

test('the secret of a new token is in the page only while its dialog is open', async () => {
  const { users } = await createAlike(1);
  const { page, offences, close } = await openAsAdministrator(
    `#account?username=${users[0]?.username}&part=tokens`,
  );
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByLabel('Name', { exact: true }).fill('ci');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  const secret = noted(await page.getByRole('dialog').getByLabel('Secret').inputValue());
  expect(await traces(page, [secret])).not.toEqual([]);
  await page.evaluate('delete Clipboard.prototype.writeText');
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('The browser cannot copy it').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('rowheader', { name: 'ci' }).waitFor();
  expect(await traces(page, [secret])).toEqual([]);
  expect(offences).toEqual([]);
  await close();
});

test('all requests of the first screen are sent before any is answered', async () => {
  const { page, close } = await openAsAdministrator();
  await page.getByRole('row').nth(1).waitFor();
  const order: string[] = [];
  const isApi = (url: string) => url.startsWith(`${baseUrl}/api/`) && !url.startsWith(PAGE);
  page.on('request', (request) => isApi(request.url()) && order.push('sent'));
  page.on('response', (response) => isApi(response.url()) && order.push('answered'));
  await page.reload();
  await page.getByRole('row').nth(1).waitFor();
  expect(order).toEqual(order.toSorted().toReversed());
  expect(order.length).toBeGreaterThan(1);
  await close();
});
