import { expect, test } from 'vitest';
import { admin, administrator, createUser, get, noted, type User } from '../../integration/service.ts';
import { unnamed } from '../browser.ts';
import {
  createAdministrator,
  createAlike,
  downloadCsv,
  heading,
  logIn,
  openAsAdministrator,
  openPage,
  PAGE,
  traces,
} from './page.ts';

test('a wrong password is refused and selected, and the right one opens the accounts', async () => {
  const user = await createAdministrator();
  const { page, offences, close } = await openPage();
  await logIn(page, { ...user, password: noted('a wrong password') });
  await page.getByRole('alert').getByText('The username or password is not valid.').waitFor();
  const selected = '(({ name, selectionStart, selectionEnd: end }) => [name, selectionStart, end])';
  expect(await page.evaluate(`${selected}(document.activeElement)`)).toEqual(['password', 0, 16]);
  await logIn(page, user);
  await heading(page, 'People').waitFor();
  expect(await traces(page, [user.password])).toEqual([]);
  await page.reload();
  await heading(page, 'People').waitFor();
  await page.locator('h1:focus').waitFor();
  expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).outlineStyle`)).toBe('none');
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await heading(page, 'Log in').waitFor();
  expect(offences).toEqual([]);
  await close();
});

test('the language of the address stays after a logout', async () => {
  const { page, close } = await openAsAdministrator('?language=de#teams');
  await heading(page, 'Teams').waitFor();
  await page.getByRole('button', { name: 'Ihr Konto' }).click();
  await page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abmelden' }).click();
  await heading(page, 'Anmelden').waitFor();
  expect(page.url()).toBe(`${PAGE}?language=de`);
  await close();
});

test('a person without the role uses all of the own account, and nothing is refused', async () => {
  const { username, password } = await createUser({ roles: ['sys_tokens'] });
  const { page, offences, close } = await openPage();
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await logIn(page, { username, password });
  await heading(page, 'Your account').waitFor();
  for (const part of ['Password', 'Sessions', 'API tokens', 'Profile']) {
    await page.getByRole('link', { name: part, exact: true }).click();
    await page.waitForLoadState('networkidle');
  }
  for (const address of ['#teams', '#account?username=admin', '']) {
    await page.goto(PAGE + address);
    await page.reload();
    await page.getByText('An administrator can change your roles').waitFor();
    await page.waitForLoadState('networkidle');
  }
  expect([...refused, ...offences]).toEqual([]);
  await close();
});

/** Next to an ended session, a code opens two: the answer to a request without its cookie sets none. */
const OPENED = { 'no session': 1, 'an ended session': 2 };

test.each(Object.entries(OPENED))(
  'a code sets a password after an announcement, next to %s',
  async (which, opened) => {
    const { username, logIn } = await createUser();
    const cookie = which === 'no session' ? '' : await logIn();
    await administrator.account.lock({ username });
    await administrator.account.unlock({ username });
    const { code } = await administrator.account.code({ username });
    const { page, offences, close } = await openPage({ address: '#code', cookie });
    await page.getByLabel('Username').fill(username);
    const set = async (password: string, given: string) => {
      await page.getByLabel('One-time code').fill(given);
      await page.getByLabel('New password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Set password' }).click();
    };
    await set(noted('a new one for the page'), '0000-0000-0000');
    await page.getByText('The username or code is not valid.').waitFor();
    await set('password', noted(code));
    await page.locator('[name=new_password][aria-invalid=true]').waitFor();
    await set('a new one for the page', code);
    await page.getByText('Your password is set, and you are logged in. From now on,').waitFor();
    await page.getByText('An administrator can change your roles').waitFor();
    expect(await traces(page, [code, 'a new one for the page'])).toEqual([]);
    expect(new URL(page.url()).hash).toBe('');
    expect((await get(`/api/core/account/sessions/${username}`, admin)).body.data.items).toHaveLength(opened);
    expect(offences).toEqual([]);
    await close();
  },
);

test('each field for a password accepts pasted text', async () => {
  const { page, close } = await openAsAdministrator();
  await heading(page, 'People').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText('pasted text')`);
  const { page: outside, close: leave } = await openPage();
  await outside.context().grantPermissions(['clipboard-read']);
  const screens = [
    [page, '#me?part=password', 2],
    [outside, '', 1],
    [outside, '#code', 2],
  ] as const;
  for (const [where, address, count] of screens) {
    await where.bringToFront();
    await where.evaluate(`location.hash = '${address}'`);
    const fields = where.locator('[data-secret]');
    await expect.poll(() => fields.count()).toBe(count);
    for (const field of await fields.all()) {
      await field.press('Control+V');
      expect(await field.inputValue()).toBe('pasted text');
    }
  }
  await leave();
  await close();
});

test('changing the own password ends the other sessions and keeps this one', async () => {
  const { page, user, close } = await openAsAdministrator('#me?part=password');
  for (const [given, answer] of [
    [noted('a wrong password'), 'The current password is not valid.'],
    [user.password, 'Your password is changed'],
  ] as const) {
    await page.getByLabel('Current password', { exact: true }).fill(given);
    await page.getByLabel('New password', { exact: true }).fill(noted('another one for the page'));
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText(answer).waitFor();
  }
  const { body } = await get(`/api/core/account/sessions/${user.username}`, admin);
  expect(body.data.items).toHaveLength(1);
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('table').waitFor();
  await close();
});

test('the search follows what is typed, and the URL and Back keep the filters', async () => {
  const { prefix, users } = await createAlike(2);
  await users.at(-1)?.logIn();
  const { page, offences, close } = await openAsAdministrator();
  await page.getByLabel('Search').pressSequentially(prefix);
  const rows = page.getByRole('row');
  await expect.poll(() => rows.count()).toBe(users.length + 1);
  const time = rows.last().locator('time').first();
  expect([await time.textContent(), await time.getAttribute('title')]).toEqual([
    expect.stringMatching(/ago|just now/),
    expect.stringMatching(/\d\d:\d\d:\d\d \S+$/),
  ]);
  const locked = page.getByRole('link', { name: /^Locked/ });
  await locked.click();
  await page.getByText('No one matches').waitFor();
  expect(await page.getByRole('button', { name: 'Download' }).count()).toBe(0);
  expect(new URL(page.url()).hash).toBe(`#accounts?q=${prefix}&state=locked`);
  await page.reload();
  await page.getByText('No one matches').waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe(prefix);
  await page.getByRole('link', { name: 'Teams' }).click();
  await heading(page, 'Teams').waitFor();
  await page.goBack();
  await page.getByText('No one matches').waitFor();
  expect(await locked.getAttribute('aria-current')).toBe('true');
  await page.getByText('More filters').click();
  await page.getByRole('combobox', { name: 'Role' }).fill('none');
  await page.keyboard.press('Enter');
  await page.waitForURL(/role=none/);
  expect(await page.evaluate('document.activeElement.name')).toBe('role');
  await page.getByRole('button', { name: 'Remove Role: none' }).click();
  await page.waitForURL(/state=locked$/);
  expect(offences).toEqual([]);
  await close();
});

test('a lock of several accounts lists its changes first, reports what it did, and keeps those that failed', async () => {
  const { prefix, users } = await createAlike(3, { roles: ['sys_administrator'] });
  const [own, locked, other] = users as [User, User, User];
  await administrator.account.lock({ username: locked.username, reason: 'Left' });
  const { page, offences, close } = await openPage({ address: `#accounts?q=${prefix}` });
  await logIn(page, own);
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Cancel account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel account' }).click();
  expect(await page.locator(':invalid').and(page.getByLabel('Type 2 to confirm')).count()).toBe(1);
  await page.getByText('2 of 3 people will change. The others stay as they are.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  const items = page.getByRole('dialog').getByRole('listitem');
  expect(await items.allTextContents()).toEqual([
    expect.stringContaining('is your own'),
    expect.stringContaining('will be locked'),
    expect.stringContaining('will be locked'),
  ]);
  await page.getByLabel('Reason').fill('Left');
  await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click();
  await page.getByText(/^You locked .*\(1 had this lock\)\.$/).waitFor();
  expect(await items.first().textContent()).toMatch(/cannot do this to your own account.*Details/);
  expect(await unnamed(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('1 person selected').waitFor();
  expect(await page.getByRole('checkbox', { name: own.username }).isChecked()).toBe(true);
  await page.getByRole('row', { name: other.username }).getByText('Left').waitFor();
  expect(offences).toEqual([]);
  await close();
});

test('a role is added to the chosen accounts that lack it, with their present roles as a preview', async () => {
  const { prefix, users } = await createAlike(2);
  const [holder, other] = users as [User, User];
  const role = `of-${prefix}all`;
  await administrator.account.access({ username: holder.username, add: { roles: [role] } });
  const { page, offences, close } = await openAsAdministrator(`#accounts?q=${prefix}`);
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Add a role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Role' }).fill(role);
  await expect
    .poll(() => dialog.getByRole('listitem').allTextContents())
    .toEqual([`${holder.username} has it already`, `${other.username} gets the role`]);
  await dialog.getByRole('button', { name: 'Add a role' }).click();
  await page.getByText(`You gave ${role} to ${other.username} (1 had it).`).waitFor();
  expect((await administrator.account.profile({ username: other.username })).roles).toEqual([role]);
  expect(offences).toEqual([]);
  await close();
});

test('a date without a time is refused as a filter, with an error at its field', async () => {
  const { page, close } = await openAsAdministrator('#audit');
  await page.getByText('More filters').click();
  await page.getByLabel('Since').focus();
  await page.keyboard.type('01022026');
  await page.getByLabel('Action').focus();
  await page.locator('[name=since]:invalid').waitFor();
  await page.getByLabel('Since').fill('2026-01-02T10:00');
  await page.waitForURL(/since=2026-01-02T10/);
  expect(await page.locator(':invalid').count()).toBe(0);
  await close();
});

test('the start of a command is listed without its end only', async () => {
  const { page, close } = await openAsAdministrator('#teams');
  const command = { actor: 'operator:support', action: 'admin account lock', details: null };
  const entry = { ...command, time: '2026-11-20T05:30:00Z' };
  const outcomes = { ended: ['ok', 'started'], 'cut-off': ['started'] };
  const items = Object.entries(outcomes).flatMap(([requestId, all]) =>
    all.map((outcome) => ({ ...entry, target: requestId, requestId, outcome })),
  );
  const json = { success: true, data: { items } };
  await page.route('**/audit/browse*', (route) => route.fulfill({ json }));
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByText('An operator began to lock cut-off.').waitFor();
  expect(await page.getByText(/lock(ed)? ended/).allTextContents()).toEqual([
    expect.stringMatching('An operator locked ended'),
  ]);
  await close();
});

test('the CSV has every account of the filter, and no cell that a spreadsheet evaluates', async () => {
  const { prefix, users } = await createAlike(2, { user_first_name: '=1+1', user_last_name: 'of "a", b' });
  const { page, offences, close } = await openAsAdministrator(`#accounts?q=${prefix}`);
  const { head, lines } = await downloadCsv(page);
  expect(head).toMatch(/^\uFEFF?"\w+"(,"\w+")+$/);
  expect(lines).toHaveLength(users.length);
  for (const line of lines) expect(line).toContain(`"'=1+1","of ""a"", b"`);
  expect(offences).toEqual([]);
  await close();
});

test('a download shows its progress, and saves nothing when it is stopped', async () => {
  const { page, offences, close } = await openAsAdministrator('#accounts');
  await page.getByRole('table').waitFor();
  const saved: unknown[] = [];
  page.on('download', (download) => saved.push(download));
  let pages = 0;
  await page.route('**/account/browse*', async (route) => {
    if (pages++ > 0) return;
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, data: { ...json.data, next_cursor: 'next' } } });
  });
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByText(/^[1-9][\d,]* lines$/).waitFor();
  await page.getByRole('progressbar', { name: 'Download' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  expect([pages, saved, await page.getByRole('alert').count()]).toEqual([2, [], 0]);
  expect(offences).toEqual([]);
  await close();
});

test('a session that ends in a dialog is opened again without losing typed text', async () => {
  const { prefix } = await createAlike(1);
  const { page, user, close } = await openAsAdministrator(`#accounts?q=${prefix}`);
  await page.getByLabel(/^Select .*-0$/).check();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByLabel('Reason').fill('Moved');
  await administrator.account.lock({ username: user.username });
  await administrator.account.unlock({ username: user.username });
  await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await page.getByText(/^You locked /).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Moved').waitFor();
  await close();
});
