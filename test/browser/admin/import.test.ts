import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { administrator, createUser, noted } from '../../integration/service.ts';
import { violations } from '../browser.ts';
import { downloadCsv, heading, openAsAdministrator, traces } from './page.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const choose = (page: Page, name: string, lines: readonly string[]) =>
  page
    .getByLabel('File')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });

/** Answers `account/create` after `open` answers only when they are released. */
async function holdAfter(page: Page, open: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const keys = new Set<string>();
  await page.route('**/account/create', async (route) => {
    keys.add(`${route.request().headers()['idempotency-key']}`);
    if (keys.size > open) await promise;
    await route.continue();
  });
  return { release: resolve, keys };
}

/** Faults of the open screen on a desk and on a phone. */
async function faults(page: Page) {
  const found: string[] = [];
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page, 'html', { runOnly: WCAG })));
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      found.push(`scrolls at ${width}`);
  }
  return found;
}

/** Moves the focus by keyboard to a button, and presses it. */
async function pressByKeyboard(page: Page, name: string) {
  const button = page.getByRole('button', { name, exact: true });
  const focused = button.and(page.locator(':focus'));
  for (let stops = 0; (await focused.count()) === 0; stops++) {
    if (stops > 100) throw new Error(`The keyboard does not reach ${name}`);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

test('200 people of whom five have faults are imported by keyboard, with a stop, and the five are a file', async () => {
  const { username: prefix } = await createUser();
  const { page, offences, close } = await openAsAdministrator('#import');
  await heading(page, 'Import people').waitFor();
  const found = await faults(page);
  const row = (index: number) =>
    `${prefix}-${index};${['Anna', 'محمد', 'M'.repeat(128)][index % 3]};Keller;editor;`;
  const lines = Array.from({ length: 200 }, (_, index) => row(index));
  Object.assign(lines, {
    9: `${prefix} 9;A;B;;`,
    50: row(49),
    99: `${prefix}-99;A;B;;none`,
    150: `${prefix}-150;A;B;sys_admin;`,
    199: `${prefix}-199`,
  });
  await choose(page, 'people.csv', ['\ufeffUsername;First name;Last name;Roles;Teams', ...lines]);
  await page.getByText('200 rows: 195 can be imported, 5 have faults.').waitFor();
  await page.getByRole('button', { name: 'With faults 5', exact: true }).click();
  expect(await page.locator('.faulty').count()).toBe(5);
  found.push(...(await faults(page)));
  const before = await downloadCsv(page, undefined, 'Download 5 rows with faults');
  expect([before.head, before.lines.length, before.lines[1]]).toEqual([
    'fault;Username;First name;Last name;Roles;Teams',
    5,
    `"Username: Repeats line 51";${lines[50]}`,
  ]);

  const { release, keys } = await holdAfter(page, 60);
  await pressByKeyboard(page, 'Import 195 people');
  await page.getByText('60 of 195 people').waitFor();
  found.push(...(await faults(page)));
  await page.getByRole('link', { name: 'Teams', exact: true }).click();
  await page.getByText('goes on while this tab stays open').waitFor();
  found.push(...(await faults(page)));
  await page.locator('.ongoing').getByRole('link', { name: 'Show' }).click();
  await heading(page, 'Importing people').waitFor();
  await pressByKeyboard(page, 'Stop');
  await page.getByText('Waiting for the answers').waitFor();
  release();
  await heading(page, 'Import stopped').and(page.locator(':focus')).waitFor();
  await page.getByText('64 of 195 people').waitFor();
  found.push(...(await faults(page)));
  await pressByKeyboard(page, 'Resume');
  await heading(page, 'Import finished').waitFor();
  found.push(...(await faults(page)));
  expect(keys.size).toBe(195);

  await page.getByRole('link', { name: 'Teams', exact: true }).click();
  await page.locator('.ongoing').getByRole('link', { name: 'Show' }).click();
  await page.getByRole('heading', { name: '195 people imported' }).waitFor();
  const after = await downloadCsv(page, undefined, 'Download 5 not imported');
  expect(after).toEqual(before);
  const people = await downloadCsv(page, undefined, 'Download codes');
  const codes = people.lines.map((line) => noted(`${line.split(';')[5]}`.slice(1, -1)));
  expect([people.lines.length, new Set(codes).size]).toEqual([195, 195]);
  const code = `${codes[0]}`;
  await page.getByRole('cell', { name: code, exact: true }).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await pressByKeyboard(page, 'Copy codes');
  await page.getByText('195 copied').waitFor();
  const copied = `${await page.evaluate('navigator.clipboard.readText()')}`.split('\n');
  expect([copied.length, copied[0]]).toEqual([195, `Anna Keller\t${prefix}-0\t${code}`]);
  await pressByKeyboard(page, 'Close the import');
  await heading(page, 'Import people').waitFor();
  expect(await traces(page, codes)).toEqual([]);
  // The file of the five, mended.
  const mended = [9, 50, 99, 150, 199].map((index) => `"A reason; it is ignored";${row(index)}`);
  await choose(page, 'people-faults.csv', [after.head, ...mended]);
  await page.getByText('5 rows, none with faults.').waitFor();
  await pressByKeyboard(page, 'Import 5 people');
  await page.getByRole('heading', { name: '5 people imported' }).waitFor();
  const created: string[] = [];
  for await (const { username } of administrator.account.browse({ q: `${prefix}-` })) created.push(username);
  expect([created.length, found, offences]).toEqual([200, [], []]);
  await close();
}, 120_000);

test('an import that a reload ended goes on with the same file, creates nothing twice, and has all codes', async () => {
  const { username: prefix } = await createUser();
  const { page, offences, close } = await openAsAdministrator('#import');
  const lines = ['username', ...Array.from({ length: 10 }, (_, index) => `${prefix}-${index}`)];
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return dialog.accept();
  });
  const start = async (button: string) => {
    await choose(page, 'accounts.csv', lines);
    await page.getByRole('button', { name: button }).click();
  };
  const { keys } = await holdAfter(page, 6);
  await choose(page, 'accounts.csv', ['username']);
  await page.getByText('The file has no rows').waitFor();
  // A corrected file of the same name is a change.
  await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('File').click()]);
  expect(await page.getByLabel('File').inputValue()).toBe('');
  await start('Import 10 people');
  await page.getByText('6 of 10 people').waitFor();
  await page.reload();
  await page.unrouteAll();
  await start('Continue with 10 people');
  await page.getByRole('heading', { name: '10 people imported' }).waitFor();
  const { lines: report } = await downloadCsv(page, undefined, 'Download codes');
  expect(report.filter((line) => /"[\w-]{14}"/.test(line))).toHaveLength(10);
  await page.reload();
  expect([asked, keys.size]).toEqual([['beforeunload'], 10]);
  // Without what this browser keeps, the file does not lead to the keys, which encrypt the codes.
  await page.evaluate('localStorage.clear()');
  await choose(page, 'accounts.csv', lines);
  await page.getByText('10 rows, none with faults. 10 people exist and stay as they are.').waitFor();
  await page.getByText('There is no one to import.').waitFor();
  expect(await page.getByRole('button', { name: /^(Import|Continue)/ }).count()).toBe(0);
  const created: string[] = [];
  for await (const { username } of administrator.account.browse({ q: `${prefix}-` })) created.push(username);
  expect(created).toHaveLength(10);
  expect(offences).toEqual([]);
  await close();
});
