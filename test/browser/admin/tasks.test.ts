import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { DAY_MS } from '#lib/time';
import { fillDirectory } from '../../bench/fill.ts';
import { administrator, target } from '../../integration/service.ts';
import { createAlike, downloadCsv, heading, openAsAdministrator } from './page.ts';

const ACCOUNTS = 2000;
const INACTIVE = 300;

/** Seconds of a person before a click, a choice or a text, and for each key. */
const PAUSE = 0.8;
const KEY = 0.2;

/** The longest that people may take for all tasks together, in seconds. */
const LIMIT = 120;

const { runtime } = await target();
const now = Date.now();
await fillDirectory(runtime, ACCOUNTS, (n) => (n < INACTIVE ? now - 120 * DAY_MS : now));
const { prefix, users } = await createAlike(3, { roles: ['cashier'], user_last_name: 'Wolkenstein' });
const [sought] = users as [(typeof users)[0]];

const { page, offences } = await openAsAdministrator();
await page.getByRole('table').waitFor();

/** Seconds of the person count; those of the machine, which may be busy, are printed. */
const log: { task: string; clicks: number; keys: number; person: number; machine: number }[] = [];

/** Counts the clicks and keys of a person in a task. */
function person() {
  const count = { clicks: 0, keys: 0 };
  return {
    count,
    click: async (on: Locator) => {
      count.clicks++;
      await on.click();
    },
    type: async (into: Locator, text: string) => {
      count.clicks++;
      count.keys += text.length;
      await into.pressSequentially(text);
    },
    /** A date is one click into the field and its digits. */
    date: async (into: Locator, day: string) => {
      count.clicks++;
      count.keys += day.length;
      await into.fill(day);
    },
  };
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const row = (name: string) => page.getByRole('row', { name });

const TASKS: [string, (by: ReturnType<typeof person>) => Promise<unknown>][] = [
  [
    'find a person',
    async ({ type, click }) => {
      await type(page.getByLabel('Search'), 'wolkens');
      await click(page.getByRole('link', { name: sought.username }));
      await page.getByText('Wolkenstein').first().waitFor();
    },
  ],
  [
    'lock with a reason',
    async ({ type, click }) => {
      await click(button('Lock'));
      await type(page.getByLabel('Reason'), 'Lost the phone');
      await click(inDialog('Lock'));
      await page.locator('.standing').getByText('Lost the phone', { exact: true }).waitFor();
    },
  ],
  [
    'list the administrators',
    async ({ click }) => {
      await click(page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Tokens' }));
      await page.getByRole('table', { name: 'Administrators' }).waitFor();
    },
  ],
  [
    'take a role away from three people',
    async ({ type, click }) => {
      await click(page.getByRole('link', { name: 'People', exact: true }));
      await type(page.getByLabel('Search'), prefix.slice(0, 8));
      await row(sought.username).waitFor();
      for (const { username } of users) await click(page.getByRole('checkbox', { name: username }));
      await click(button('Remove a role'));
      await type(page.getByRole('dialog').getByRole('combobox', { name: 'Role' }), 'cashier');
      // It moves the button: a click in the same moment would miss it.
      await page.getByLabel('What will change').waitFor();
      await click(inDialog('Remove a role'));
      await page.getByText('You took cashier from 3 people.').waitFor();
      await click(inDialog('Close'));
    },
  ],
  [
    'save who was inactive for 90 days',
    async ({ date, click }) => {
      await click(page.getByRole('link', { name: 'People', exact: true }));
      await click(page.getByText('More filters'));
      await date(page.getByLabel('Inactive since'), new Date(now - 90 * DAY_MS).toISOString().slice(0, 10));
      await page.waitForURL(/inactive_since/);
      expect((await downloadCsv(page, click)).lines).toHaveLength(INACTIVE);
    },
  ],
];

test.each(TASKS)(`among ${ACCOUNTS} accounts a person can %s`, async (task, perform) => {
  const by = person();
  const start = performance.now();
  await perform(by);
  const { clicks, keys } = by.count;
  const machine = (performance.now() - start) / 1000;
  log.push({ task, clicks, keys, person: clicks * PAUSE + keys * KEY, machine });
});

test('the five tasks take people less than two minutes, and have their effects', async () => {
  console.table(log);
  expect(log).toHaveLength(TASKS.length);
  expect(log.reduce((sum, { person }) => sum + person, 0)).toBeLessThan(LIMIT);
  for (const { username } of users)
    expect((await administrator.account.profile({ username, pscope: ['roles'] })).roles).toEqual([]);
  expect(offences).toEqual([]);
});

test('all people are chosen on all pages at once, up to 1,000', async () => {
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Select all people' }).click();
  await page.getByText('1,000 people selected, 950 on other pages, the most at once').waitFor();
  await page.getByText('More than 1,000 match').waitFor();
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect.poll(() => page.getByLabel('Select all on this page').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByRole('heading', { name: 'Lock 1,000 people?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear' }).click();
});

test(`a page shows few of ${ACCOUNTS} accounts, so that typing stays fluent`, async () => {
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await heading(page, 'People').waitFor();
  await page.evaluate(`new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest ?? 0, duration);
  }).observe({ type: 'longtask', buffered: false })`);
  for (const key of 'hopper') {
    await page.getByLabel('Search').press(key);
    await page.waitForTimeout(80);
  }
  await page.waitForURL(/q=hopper/);
  await row('Hopper').first().waitFor();
  expect(await page.getByRole('row').count()).toBeLessThanOrEqual(100);
  // A measure, since it is that of the machine; the number of rows is what bounds it.
  const longest = (await page.evaluate('window.longest ?? 0')) as number;
  console.log(`longest task while typing: ${longest > 0 ? `${longest} ms` : 'under 50 ms'}`);
});
