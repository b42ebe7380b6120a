import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { administrator, createUser, noted, uniqueName } from '../../integration/service.ts';
import { downloadCsv, heading, openAsAdministrator } from './page.ts';

type Step = readonly [action: string, answer: string, fields?: Readonly<Record<string, string>>];

/** Opens the dialog of an action, fills its fields by their labels, sends it, and waits for the answer. */
async function perform(page: Page, [action, answer, fields = {}]: Step, within: Page | Locator = page) {
  // Not the one of an answer, which takes back the action before.
  const openers = within.locator('[aria-haspopup=dialog]');
  await openers
    .and(page.getByRole('button', { name: action, exact: true }))
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  if (fields['Access']) await dialog.getByText('Restrict', { exact: true }).click();
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog.getByLabel(label, { exact: true });
    const isList = (await field.and(page.locator('select')).count()) > 0;
    await (isList ? field.selectOption(value) : field.fill(value));
  }
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('status').getByText(`${answer}.`, { exact: true }).waitFor();
  const secret = dialog.locator('[name=secret]');
  if (await secret.count()) {
    const value = noted(await secret.inputValue());
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await dialog.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    await dialog.getByRole('button', { name: 'Close' }).click();
  }
  await dialog.waitFor({ state: 'detached' });
}

/** Edits a value in its place. */
async function edit(page: Page, label: string, value: string) {
  await page.getByRole('button', { name: `Edit ${label}` }).click();
  const field = page.locator('dd').getByLabel(label, { exact: true });
  const isList = (await field.and(page.locator('select')).count()) > 0;
  await (isList ? field.selectOption(value) : field.fill(value));
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('status')
    .getByText(new RegExp(`^${label} of .* saved\\.$`))
    .waitFor();
  await page.getByRole('button', { name: `Edit ${label}` }).waitFor();
}

/** Picks the first entries of the lists of fields. */
async function pick(page: Page, values: Readonly<Record<string, string>>) {
  for (const [label, text] of Object.entries(values)) {
    await page.getByLabel(label, { exact: true }).fill(text);
    // Teams are loaded.
    await page.getByRole('option').filter({ hasText: text }).first().waitFor();
    await page.keyboard.press('Enter');
  }
}

test('each action on an account is done, and the page shows the answer of the service', async () => {
  const short = uniqueName('team').slice(0, 20);
  const { team_id } = await administrator.team.create({ short, name: 'Another', type: 'test' });
  const { username, logIn } = await createUser({ roles: ['editor'], apps: ['core', 'shop'] });
  const { page, offences, close } = await openAsAdministrator(`#account?username=${username}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const locked = `${username} is locked: no login and no token works. All sessions and an open one-time code have ended`;
  await perform(page, [
    'Lock',
    locked,
    { Reason: 'Lost', Until: 'other', 'Date and time': '2999-01-01T00:00' },
  ]);
  await page.getByText(/^Locked until 1 January 2999 00:00: Lost$/).waitFor();
  await perform(page, [
    'Unlock',
    `${username} is unlocked and can log in again; API tokens work. Without a password, create a one-time code`,
  ]);
  await page.getByRole('button', { name: 'Unlock' }).waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  const code = `The code of ${username} works once, within 8 hours`;
  await perform(page, ['Create one-time code', code, { 'The code ends after': '8' }]);
  const exact = '{"root":{"theme":"dark","number":9007199254740993,"share":0.12345678901234567890}}';
  await edit(page, 'First name', 'Ada');
  await page.getByText('Default application, colour').click();
  await edit(page, 'Custom properties', exact);
  await page.getByText(exact).waitFor();
  const saved = page.waitForRequest('**/profile-update');
  const lighter = exact.replace('dark', 'light');
  await edit(page, 'Custom properties', lighter);
  expect((await saved).postData()).toContain(lighter);
  const part = (name: string) => page.getByRole('link', { name, exact: true }).last().click();
  await part('Access');
  await page.getByRole('button', { name: 'Change access' }).click();
  const dialog = page.getByRole('dialog');
  await pick(page, { Roles: 'cashier', Teams: short, Applications: 'till' });
  await dialog.getByRole('button', { name: 'Remove editor' }).click();
  await dialog.getByText('Adds: cashier').waitFor();
  await dialog.getByText('Removes: editor').waitFor();
  await dialog.getByRole('button', { name: 'Change access' }).click();
  await page.getByText(`Access of Ada changed: added cashier, ${short}, till; removed editor.`).waitFor();
  await part('Profile');
  await edit(page, 'Default team', team_id);
  await page.getByText('Default application, colour').click();
  await edit(page, 'Default application', 'till');
  await part('Tokens');
  await perform(page, [
    'Create token',
    'The token ci of Ada is created',
    { Name: 'ci', Access: 'read', Ends: '30' },
  ]);
  await perform(page, [
    'Rotate',
    'The token ci of Ada is rotated. The old secret works for another day',
    { 'The old secret ends': '1440' },
  ]);
  await perform(page, ['Delete', 'The token ci of Ada is deleted']);
  await logIn();
  await part('Sessions');
  await perform(page, ['End session', 'A session of Ada is ended: its next request is refused']);
  expect(await administrator.account.profile({ username })).toMatchObject({
    user: {
      user_first_name: 'Ada',
      user_properties: { root: { theme: 'light' } },
      team_id,
      user_app_name: 'till',
    },
    roles: ['cashier'],
    apps: ['core', 'shop', 'till'],
  });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Cancel account' }).click();
  await dialog.getByLabel(`Type ${username} to confirm`).fill(username);
  await dialog.getByRole('button', { name: 'Cancel account' }).click();
  const reactivated = `Ada is reactivated and can log in again. Without a password, create a one-time code`;
  await perform(page, ['Reactivate', reactivated, { 'API tokens': 'revoke' }]);
  await page.getByText('No open session').waitFor();
  await part('History');
  await page.getByText(`reactivated Ada`).waitFor();
  await page.goto(`${page.url().replace(/#.*/, '')}#audit?target=${username}`);
  await page.getByText(`reactivated Ada`).waitFor();
  const { lines } = await downloadCsv(page);
  expect(lines).toHaveLength(await page.getByText('Details', { exact: true }).count());
  expect(offences).toEqual([]);
  await close();
});

test('teams, accounts, administrators and tokens are created and removed', async () => {
  const username = uniqueName();
  const { page, user, offences, close } = await openAsAdministrator('#teams');
  const short = uniqueName('team').slice(0, 20);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await heading(page, 'Teams').waitFor();
  await page.route('**/team/browse*', (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await page.getByRole('alert').getByText('The service is temporarily unavailable.').waitFor();
  await page.unroute('**/team/browse*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await perform(page, [
    'Create team',
    'The team New is created. Add its people',
    { 'Short name': short, Name: 'New', Type: 'test' },
  ]);
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('link', { name: 'Invite', exact: true }).click();
  await page.getByText('The team New is created').waitFor({ state: 'detached' });
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('First name').fill('Ada');
  await pick(page, { Teams: short });
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByText('Ada is invited').waitFor();
  noted(await page.getByLabel('One-time code').inputValue());
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await heading(page, 'Ada').waitFor();
  const { user: created } = await administrator.account.profile({ username, pscope: ['user'] });
  expect(created).toMatchObject({ user_first_name: 'Ada', team_name: 'New' });
  await user.token('only');
  await page.goto(`${page.url().replace(/#.*/, '')}#owners`);
  const row = page.getByRole('row', { name: user.username });
  await row.getByRole('button', { name: 'Revoke all' }).click();
  const second = page.getByRole('dialog').getByRole('button', { name: 'Revoke all' });
  await second.dispatchEvent('click', { detail: 2 });
  await page.keyboard.press('Escape');
  await perform(page, ['Revoke all', `All API tokens of ${user.username} are deleted`], row);
  await perform(page, ['Remove the role', `${user.username} is no administrator any more`], row);
  await heading(page, 'Your account').waitFor();
  expect(await page.getByRole('navigation', { name: 'Screens' }).count()).toBe(0);
  expect(offences).toEqual([]);
  await close();
});
