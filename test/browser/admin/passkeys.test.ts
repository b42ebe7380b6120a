import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startInstance } from '../../integration/instance-process.ts';
import { clientOf, newPasswordText, noted } from '../../integration/service.ts';
import { newFolder } from '../../unit/support/folder.ts';
import { connectDevice, faultsInBothSchemes, offencesOf, openContext } from '../browser.ts';
import { heading, logIn } from './page.ts';

const password = newPasswordText();
const { ready } = await startInstance({
  data: newFolder(),
  args: ['--no-demo'],
  env: { Settings__SecondFactor: 'administrators', Settings__BcryptCost: '10', ADMIN_PASSWORD: password },
});
const { username } = ready.admin;
const api = clientOf({ token: noted(ready.admin.token as string) }, { url: ready.url });
const origin = ready.url.replace('127.0.0.1', 'localhost');
const ADDRESS = `${origin}/api/core/admin`;

const context = await openContext();
const page = await context.newPage();
// Refusals are what the page asks a passkey for.
const offences = offencesOf(page, /status of 4/, origin);
const cdp = await context.newCDPSession(page);
await cdp.send('WebAuthn.enable');

const authenticatorId = await connectDevice(cdp);
const verify = (isUserVerified: boolean) =>
  cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
const credentialsOf = async () =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

const dialog = (name: string) => page.getByRole('dialog', { name });
const CONFIRM = 'Confirm with your passkey';

/** Faults of the page or its dialog, and what its console said. */
async function faults(selector = 'html') {
  const found = await faultsInBothSchemes(page, selector);
  await page.setViewportSize({ width: 1280, height: 800 });
  return [...found, ...offences];
}

/** Opens the page without a session, at a screen. */
async function openEntrance(hash = '', at: Page = page) {
  await context.clearCookies();
  await at.goto('about:blank');
  await at.goto(ADDRESS + hash);
}

/** Opens the dialog that creates a one-time code, and chooses. */
async function beginCode(hours: string, action = 'Create one-time code') {
  await page.getByRole('button', { name: action }).click();
  await page.getByLabel('The code ends after').selectOption(hours);
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
}

/** The one-time code that the page shows, once. */
async function shownCode() {
  noted(await page.getByLabel('One-time code', { exact: true }).inputValue());
  await page.getByRole('button', { name: 'Close' }).click();
}

await api.account.create({ username: 'bob' });

test('an administrator without a passkey is told to create one, and what was typed stays', async () => {
  await openEntrance('#account?username=bob');
  await logIn(page, { username, password });
  await beginCode('8');
  await page.getByRole('dialog').getByText('you have none').waitFor();
  expect(await page.getByLabel('The code ends after').inputValue()).toBe('8');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'your passkeys (new tab)' }).click();
  const tab = await opened;
  await tab.getByText('No passkey yet.').waitFor();
  await tab.close();
  expect(await page.getByLabel('The code ends after').inputValue()).toBe('8');
  expect(await faults('dialog[open]')).toEqual([]);
});

test('the first passkey is created under a proposed name by keyboard, and needs no more than its login', async () => {
  await page.goto(`${ADDRESS}#me?part=passkeys`);
  await page.reload();
  await page.getByText('No passkey yet.').waitFor();
  expect(await faults()).toEqual([]);
  await page.getByRole('button', { name: 'Create passkey' }).press('Enter');
  const name = dialog('Create passkey').getByLabel('Name');
  expect(await name.inputValue()).toMatch(/^\w+ on \w+$/);
  await name.fill('laptop');
  expect(await faults('dialog[open]')).toEqual([]);
  await name.press('Enter');
  await page.getByRole('status').getByText('The passkey laptop is created.').waitFor();
  await page.getByRole('row', { name: /^laptop/ }).waitFor();
  expect(await faults()).toEqual([]);
  expect(await credentialsOf()).toHaveLength(1);
});

test('a change that a passkey has to confirm asks for it, keeps what was typed when that fails, and goes on', async () => {
  await page.goto(`${ADDRESS}#account?username=bob`);
  await beginCode('8');
  await dialog(CONFIRM).waitFor();
  expect(await faults('dialog[open]:last-of-type')).toEqual([]);
  await verify(false);
  await page.keyboard.press('Enter');
  await dialog(CONFIRM).getByRole('alert').getByText('Your passkey was not used').waitFor();
  await page.keyboard.press('Escape');
  await dialog(CONFIRM).waitFor({ state: 'detached' });
  await page.getByRole('dialog').getByText('Not done: it has to be confirmed').waitFor();
  expect(await page.getByLabel('The code ends after').inputValue()).toBe('8');
  await verify(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Create one-time code' }).click();
  await dialog(CONFIRM).waitFor();
  await page.keyboard.press('Enter');
  await shownCode();
  await page.getByText('within 8 hours').waitFor();
});

test('a passkey confirms the changes of the next minutes, too', async () => {
  await beginCode('1', 'New code');
  await shownCode();
  await page.getByText('within an hour').waitFor();
  expect(offences).toEqual([]);
});

test('all data of the own account and of another one are saved as a file', async () => {
  for (const [screen, name] of [
    ['me', username],
    ['account?username=bob', 'bob'],
  ] as const) {
    await page.goto(`${ADDRESS}#${screen}`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all data' }).click();
    const { profile } = JSON.parse(await readFile(await (await download).path(), 'utf8'));
    expect(profile.user.username).toBe(name);
    await page.getByText(new RegExp(`Saved as ${name}-[-\\d]{10}\\.json\\.`)).waitFor();
  }
  expect(await faults()).toEqual([]);
});

test('a person logs in with a passkey, by the button and by what the browser offers in the field', async () => {
  await verify(false);
  await openEntrance();
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.getByRole('alert').getByText('Your passkey was not used').waitFor();
  expect(await faults()).toEqual([]);
  await verify(true);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await heading(page, 'People').waitFor();
  // The browser of the tests picks the only passkey that it would offer.
  await openEntrance('#me?part=sessions');
  await page.getByRole('cell', { name: 'Passkey laptop' }).first().waitFor();
  expect(await page.getByLabel('Username').count()).toBe(0);
  expect(offences).toEqual([]);
});

test('the end of a session is mended by a passkey, without losing typed text', async () => {
  await page.goto(`${ADDRESS}#account?username=bob`);
  await page.getByRole('button', { name: 'Lock' }).click();
  await page.getByLabel('Reason').fill('Moved');
  await context.clearCookies();
  await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click();
  await dialog('Your session has ended').waitFor();
  expect(await faults('dialog[open]:last-of-type')).toEqual([]);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.getByRole('status').getByText('Locked:').waitFor();
  await page.getByText('Moved').waitFor();
  await page.getByRole('button', { name: 'Unlock' }).first().click();
  await page.getByRole('status').getByText('is unlocked').waitFor();
});

test('a removed passkey ends the session that it opened, and its device offers it no more', async () => {
  await page.goto(`${ADDRESS}#me?part=passkeys`);
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  await dialog('Your session has ended').waitFor();
  await expect.poll(credentialsOf).toEqual([]);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByText('No passkey yet.').waitFor();
  expect(offences).toEqual([]);
});

test('a person without a role creates a passkey, and an administrator removes it when it is lost', async () => {
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
  const carla = { username: 'carla', password: noted(newPasswordText()) };
  const { code } = await api.account.create({ username: carla.username, invite_hours: 1 });
  await clientOf(undefined, { url: ready.url }).account.password({
    username: carla.username,
    code: noted(`${code}`),
    new_password: carla.password,
  });
  await openEntrance('#me?part=passkeys');
  await logIn(page, carla);
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove passkey' }).waitFor();
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
  await openEntrance('#me?part=passkeys');
  await logIn(page, { username, password });
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove passkey' }).waitFor();
  await page.goto(`${ADDRESS}#account?username=carla&part=access`);
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  expect(await faults('dialog[open]')).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  await dialog(CONFIRM).getByRole('button', { name: 'Use passkey' }).click();
  await page.getByText('No passkey. Only its owner can create one.').waitFor();
  expect(await faults()).toEqual([]);
});

test('the page at an IP address leads to its name, where passkeys work', async () => {
  const other = await context.newPage();
  await other.goto(`${ready.url}/api/core/admin`);
  await other.getByRole('link', { name: 'Log in with a passkey at localhost' }).click();
  await other.waitForURL(ADDRESS);
  await other.close();
});
