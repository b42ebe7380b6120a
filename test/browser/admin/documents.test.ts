import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accountKey, directoryIndex } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { createUser, target } from '../../integration/service.ts';
import { violations, WCAG } from '../browser.ts';
import { heading, openAsAdministrator, traces } from './page.ts';

/** Texts that a page prints, without those of the document. */
const printedBeside = (page: Page) =>
  page.evaluate(
    `[...document.body.querySelectorAll('*')]
      .filter((each) => !each.closest('.document') && !each.querySelector('.document') && each.checkVisibility())
      .map(({ textContent }) => textContent)`,
  );

/** Whether nothing is wider than the window. */
const fits = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

/** Number of the pages that a PDF has. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

test('a data report prints as a document of its own, and fits a phone', async () => {
  const { username } = await createUser({ user_first_name: 'Emma', user_last_name: 'Müller' });
  const { page, offences, close } = await openAsAdministrator(`#account?username=${username}`);
  await page.getByRole('button', { name: 'Data report' }).click();
  await heading(page, 'Data report').waitFor();
  expect(await page.title()).not.toContain('Emma');
  await page.getByText(`Emma Müller (${username})`).waitFor();
  expect(await violations(page, 'html', { runOnly: WCAG })).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await fits(page)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ media: 'print' });
  expect(await printedBeside(page)).toEqual([]);
  expect(await page.getByRole('button').count()).toBe(0);
  expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(0);
  await page.emulateMedia({ media: null });
  await page.keyboard.press('Escape');
  await heading(page, 'Emma Müller').waitFor();
  expect(offences).toEqual([]);
  await close();
});

test('an erasure ends with its proof, after which the page has no name of the person', async () => {
  const { account, username } = await createUser({ user_first_name: 'Zoe', user_last_name: 'Leaver' });
  const { runtime } = await target();
  // Without a time of the cancellation, no days have to pass.
  const cancelled = { ...account, isactive: false };
  await put(runtime.table, accountKey(username), { ...directoryIndex(username), ...cancelled });
  const { page, user, offences, close } = await openAsAdministrator(`#account?username=${username}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Erase for good' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('summary').click();
  await dialog.getByText(account.id).waitFor();
  await dialog.getByLabel(`Type ${username} to confirm`).fill(username);
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await heading(page, 'Proof of erasure').waitFor();
  for (const text of [account.id, user.username, 'What stays, until when and why', 'Mark of the erasure'])
    await page.locator('.document').getByText(text).first().waitFor();
  expect(await violations(page, 'html', { runOnly: WCAG })).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  expect(await printedBeside(page)).toEqual([]);
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: 'Close' }).click();
  await heading(page, 'People').waitFor();
  await page.getByRole('row', { name: 'Zoe Leaver' }).waitFor({ state: 'detached' });
  expect(await traces(page, [username])).toEqual([]);
  await page.goBack();
  expect(page.url()).not.toContain(username);
  expect(offences).toEqual([]);
  await close();
});
