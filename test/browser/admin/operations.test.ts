import { expect, test } from 'vitest';
import { administrator } from '../../integration/service.ts';
import { faultsInBothSchemes } from '../browser.ts';
import { createAlike, openAsAdministrator } from './page.ts';

const PEOPLE = 40;
const HOLDERS = 10;
/** Those from whom the role is to be taken: one of them has lost it since. */
const LEFT = PEOPLE - HOLDERS - 1;

const { prefix, users } = await createAlike(PEOPLE);
const names = users.map(({ username }) => username);
const roles = ['approver'];
for (const username of names.slice(0, HOLDERS))
  await administrator.account.access({ username, add: { roles } });
const { page, offences } = await openAsAdministrator(`#accounts?q=${prefix}`);
const dialog = page.getByRole('dialog');
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });

const row = (text: string) => page.locator('.entry', { hasText: text }).first();

/** Opens the activity until a sentence is there: an entry appears within a minute. */
const openUntil = (text: string) =>
  expect
    .poll(
      async () => {
        await page.evaluate(`location.hash = '#audit?action=account.access'`);
        await page.reload();
        await page.locator('.entry').first().waitFor();
        return row(text).count();
      },
      { timeout: 60_000, interval: 1000 },
    )
    .toBe(1);

test('a role that forty people got by mistake is taken from the thirty who did not have it', async () => {
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Add a role' }).click();
  await dialog.getByRole('combobox', { name: 'Role' }).fill('approver');
  await page.getByLabel('What will change').waitFor();
  await inDialog('Add a role').click();
  await page.getByText(`You gave approver to ${PEOPLE - HOLDERS} people (${HOLDERS} had it).`).waitFor();
  await inDialog('Close').click();
  const lost = names.at(-1) ?? '';
  await administrator.account.access({ username: lost, remove: { roles } });

  await openUntil(`You gave the role approver to ${PEOPLE - HOLDERS} people (${HOLDERS} had it)`);
  await row('gave the role approver').getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('stays: it was changed again since').waitFor();
  expect(await dialog.getByText('loses approver').count()).toBe(LEFT);
  expect(await faultsInBothSchemes(page, 'dialog')).toEqual([]);
  await inDialog('Undo').click();
  await dialog.getByText(`${LEFT} taken back.`).waitFor();
  await inDialog('Close').click();
  const left = await Promise.all(
    names.map(
      async (username) => (await administrator.account.profile({ username, pscope: ['roles'] })).roles,
    ),
  );
  expect(left.map((held) => held?.length)).toEqual(names.map((_, index) => (index < HOLDERS ? 1 : 0)));
});

test('the activity has both operations, and nobody is left to undo the first', async () => {
  await openUntil(`You took the role approver from ${LEFT} people`);
  await row('taken back').locator('summary').click();
  await page.getByRole('link', { name: 'Show each entry' }).waitFor();
  await row('taken back').getByRole('listitem').first().waitFor();
  expect(await faultsInBothSchemes(page, 'main')).toEqual([]);
  expect(await row('taken back').innerText()).toMatch(/gave the role approver to \d+ people.*by you/s);
  // A part of it is on the next page.
  await row('taken back').getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('Nobody is left').waitFor();
  expect(await dialog.getByText('stays: it was changed again since').count()).toBe(PEOPLE - HOLDERS);
  expect(offences).toEqual([]);
});
