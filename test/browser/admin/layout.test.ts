import { expect, test } from 'vitest';
import { administrator, createUser, noted } from '../../integration/service.ts';
import { openAsAdministrator } from './page.ts';

const { username } = await createUser({ roles: ['sys_administrator', 'sys_tokens', 'editor'] });
const { page } = await openAsAdministrator();

/** Loads the page at an address, by default on a small phone. */
async function show(address: string, width = 320) {
  await page.setViewportSize({ width, height: 700 });
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.reload();
}

/** Where the first element of a selector is. */
async function place(selector: string) {
  await page.locator(selector).first().waitFor();
  return (await page.evaluate(
    `document.querySelector('${selector}').getBoundingClientRect().toJSON()`,
  )) as Record<'left' | 'right' | 'top' | 'bottom', number>;
}

test.each([
  ['an account', `#account?username=${username}&part=history`],
  ['the own account', '#me?part=tokens'],
])('the last tab of %s is in view on a phone', async (_what, address) => {
  await show(address);
  const [tab, tabs] = [await place('.tabs [aria-current]'), await place('.tabs')];
  expect([tab.left >= tabs.left, tab.right <= tabs.right + 1]).toEqual([true, true]);
});

test('a secret is in view as a whole on a phone', async () => {
  await show('#me?part=tokens');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByLabel('Name').fill('phone');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  noted(await page.getByLabel('Secret').inputValue());
  const hidden = await page.evaluate(`(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    [scrollWidth - clientWidth, scrollHeight - clientHeight])(document.querySelector('[name=secret]'))`);
  expect(hidden).toEqual([0, 0]);
  const [secret, copy] = [await place('[name=secret]'), await place('[name=secret] ~ button')];
  // The focus ring ends 4 pixels outside of the field.
  expect(copy.left - secret.right).toBeGreaterThan(4);
  await page.getByRole('button', { name: 'Close' }).click();
});

test('an answer is clear of the bar of the chosen people on a phone', async () => {
  await show(`#account?username=${username}`);
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click();
  await page.locator('.answer').waitFor();
  await page.evaluate(`location.hash = '#accounts?q=${username}'`);
  await page.getByRole('checkbox', { name: username }).check();
  const [answer, bar] = [await place('.answer'), await place('.bulk')];
  expect(answer.bottom <= bar.top || answer.top >= bar.bottom).toBe(true);
});

test('a row of people shows two long roles as a whole on a desk', async () => {
  await show(`#accounts?q=${username}`, 1280);
  await page.getByRole('row', { name: username }).waitFor();
  const cut = await page.evaluate(`[...document.querySelectorAll('td:not(:has(input))')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((each) => each.outerHTML)`);
  expect(cut).toEqual([]);
});

test('the card of a person says on a phone what its second time is', async () => {
  const { username: cancelled } = await createUser();
  await administrator.account.cancel({ username: cancelled });
  await show(`#accounts?q=${cancelled}`);
  await page.getByRole('row', { name: cancelled }).waitFor();
  const label = await page.evaluate(`(({ display, content }) => display !== 'none' && content)(
    getComputedStyle(document.querySelector('td[data-label="Last active"]'), '::before'))`);
  expect(label).toContain('Last active');
});
