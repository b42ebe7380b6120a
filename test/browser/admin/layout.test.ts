import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { administrator, createUser, noted } from '../../integration/service.ts';
import { createAlike, heading, openAsAdministrator, PAGE } from './page.ts';

const { username } = await createUser({ roles: ['sys_administrator', 'sys_tokens', 'editor'] });
const { page } = await openAsAdministrator();

/** Loads the page at an address, by default on a small phone. */
async function show(address: string, width = 320, language = 'en') {
  await page.setViewportSize({ width, height: 700 });
  await page.goto(`${PAGE}?language=${language}${address}`);
  await page.reload();
}

/** Waits until nothing is requested or loads any more. */
async function settled() {
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy=true], .late').first().waitFor({ state: 'detached' });
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

const INDEX = readFileSync(new URL('../../../infra/admin-page/screens/index.ts', import.meta.url), 'utf8');

/** The state that a screen needs in its address. */
const STATES: Readonly<Record<string, string>> = { account: `username=${username}`, team: 'short=TEST' };

/** The parts of screens other than those that they show first. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  account: ['access', 'tokens', 'sessions', 'history'],
  me: ['password', 'passkeys', 'sessions', 'tokens'],
};

const ADDRESSES = [...INDEX.matchAll(/id: '(\w+)',/g)]
  .map(([, id]) => `${id}`)
  .filter((id) => id !== 'parts')
  .flatMap((id) =>
    ['', ...(PARTS[id] ?? [])].map((part) => `#${id}?${STATES[id] ?? ''}${part && `&part=${part}`}`),
  );

/** Runs in the page: texts of labels that something cuts, and what is wider than the screen. Names of strangers may be cut. */
const CUT = `(() => {
  const LABELS = 'button, .button, a, h1, h2, h3, label, legend, th, dt, summary, .badge, .chip';
  const faults = document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways: ' +
    [...document.body.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
      .slice(0, 2).map((each) => each.outerHTML.slice(0, 150))] : [];
  const isUnseen = (each) => each.closest('.hidden, [aria-hidden=true]') || !each.checkVisibility({ visibilityProperty: true });
  for (const label of document.querySelectorAll(LABELS)) {
    if (isUnseen(label)) continue;
    const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement } = texts.currentNode;
      if (isUnseen(parentElement) || parentElement.closest(':not(h1) > bdi, p > bdi')) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { left, right, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      for (let around = parentElement; around; around = around.parentElement) {
        const { overflowX, clipPath } = getComputedStyle(around);
        if (clipPath !== 'none' || overflowX === 'auto' || overflowX === 'scroll') break;
        const box = around.getBoundingClientRect();
        const isCut = (overflowX !== 'visible' || around === label) && around.clientWidth > 0 &&
          (right > box.right + 1 || left < box.left - 1);
        if (isCut) { faults.push('cut: ' + texts.currentNode.data + ' in ' + around.outerHTML.slice(0, 150)); break; }
      }
    }
  }
  return faults;
})()`;

/** Runs in the page: texts and labels with an English word, except for names and what programs read. */
const ENGLISH = `(() => {
  const WORDS = /\\b(the|and|of|with|you|your|are|from|by|this|that|for|its|has|have|never|none|any|all|search|close|back|show|more|edit|copy|download|create|delete|remove|lock|unlock|cancel|done|loading)\\b/i;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode())
    if (!texts.currentNode.parentElement.closest('bdi, code, pre, kbd, textarea, [lang=en]')) found.push(texts.currentNode.data);
  const names = [...document.querySelectorAll('bdi')].map((each) => each.textContent).filter(Boolean);
  const nameless = (label) => names.reduce((text, name) => text.replaceAll(name, ''), label ?? '');
  for (const each of document.querySelectorAll('[aria-label], [placeholder]'))
    found.push(nameless(each.getAttribute('aria-label')), nameless(each.getAttribute('placeholder')));
  return found.filter((text) => WORDS.test(text)).map((text) => 'English: ' + text);
})()`;

/** The faults of what is shown, by the width of the screen. */
async function cuts(widths: readonly number[], language: string): Promise<string[]> {
  const found = language === 'de' ? ((await page.evaluate(ENGLISH)) as string[]) : [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 });
    found.push(...((await page.evaluate(CUT)) as string[]).map((fault) => `${width}: ${fault}`));
  }
  return found;
}

test.each(['en', 'de'].flatMap((language) => ADDRESSES.map((address) => [language, address])))(
  'in %s, %s and its dialogs fit a phone, and no label is cut',
  async (language, address) => {
    await show(address, 390, language);
    await settled();
    await page.evaluate('for (const each of document.querySelectorAll("main details")) each.open = true');
    await settled();
    const found = await cuts([320, 390], language);
    const openers = page.locator('main button[aria-haspopup=dialog]');
    const labels = await openers.allTextContents();
    for (const label of new Set(labels)) {
      await openers.nth(labels.indexOf(label)).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await settled();
      found.push(...(await cuts([390], language)).map((fault) => `${label}: ${fault}`));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
  },
);

test('Back returns to the scroll position of a list, and a new screen begins at its top with its heading', async () => {
  const { prefix } = await createAlike(40);
  await show(`#accounts?q=${prefix}`, 1280);
  const top = () => page.evaluate('Math.round(scrollY)');
  const row = page.getByRole('row', { name: `${prefix}35` });
  await row.waitFor();
  await page.evaluate('scrollTo(0, 700)');
  await expect.poll(() => page.evaluate('history.state?.top')).toBe(700);
  await row.getByRole('link').click();
  await page.getByRole('navigation', { name: 'Parts of the account' }).waitFor();
  expect([await top(), await page.evaluate('document.activeElement.tagName')]).toEqual([0, 'H1']);
  await page.goBack();
  await row.waitFor();
  await expect.poll(top).toBe(700);
  await page.reload();
  await expect.poll(top).toBe(700);
  await page.goForward();
  await page.getByRole('navigation', { name: 'Parts of the account' }).waitFor();
  expect(await top()).toBe(0);
});

test('another page of a list begins at its first row', async () => {
  const { prefix } = await createAlike(60);
  await show(`#accounts?q=${prefix}`, 1280);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByText('51 to 60 of 60').waitFor();
  expect(await page.evaluate('scrollY')).toBe(0);
});

test.each(['de', 'en'])('print in %s has rows and exact times, and nothing to press', async (language) => {
  await show(`#accounts?q=${username}`, 794, language);
  await settled();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const shown =
    await page.evaluate(`[...document.querySelectorAll('header, nav, button, .button, form, input')]
    .filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 150))`);
  const row = await page.evaluate(`(() => {
    const cell = document.querySelector('tbody th');
    const { display, color } = getComputedStyle(cell);
    return [display, color, getComputedStyle(document.querySelector('thead')).display];
  })()`);
  await show(`#account?username=${username}`, 794, language);
  await settled();
  const time = await page.evaluate(`(() => {
    const time = document.querySelector('main time');
    const { content, fontSize } = getComputedStyle(time, '::after');
    return [getComputedStyle(time).fontSize, parseFloat(fontSize) > 8, content];
  })()`);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  const exact = language === 'de' ? /^"\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d/ : /^"\d+ \w+ \d{4}, \d\d:\d\d:\d\d/;
  expect([shown, row, time]).toEqual([
    [],
    ['table-cell', 'rgb(0, 0, 0)', 'table-header-group'],
    ['0px', true, expect.stringMatching(exact)],
  ]);
});

test('a wide screen is used: no value wraps beside empty pixels', async () => {
  await administrator.account.profileUpdate({ username, phonenumber: '+49 171 23 45 67 890' });
  await show(`#account?username=${username}`, 1600);
  await settled();
  // Chips may have several lines.
  const wrapped = await page.evaluate(`[...document.querySelectorAll('dd:not(:has(.chip))')]
    .filter(({ clientHeight }) => clientHeight > 48).map(({ textContent }) => textContent)`);
  const [{ left, right }] = [await place('main dl')];
  expect([wrapped, right - left > 1500]).toEqual([[], true]);
});

test('the header is one row on a desk and no wider than the screen at any width, in both languages', async () => {
  const found: string[] = [];
  for (const language of ['en', 'de']) {
    await show('#teams', 1280, language);
    await settled();
    for (const width of [1280, 1201, 1199, 1024, 961, 959, 800, 500, 320]) {
      await page.setViewportSize({ width, height: 700 });
      const [scrolled, height] = (await page.evaluate(
        '[document.documentElement.scrollWidth, document.querySelector("header").offsetHeight]',
      )) as [number, number];
      if (scrolled > width || (width > 960 && height > 60))
        found.push(`${language} ${width}: ${scrolled} ${height}`);
    }
  }
  expect(found).toEqual([]);
});

test('no link of the header moves when another one is current', async () => {
  const places = () =>
    page.evaluate(
      `[...document.querySelectorAll('header nav a')].map((each) => Math.round(each.offsetLeft))`,
    );
  await show('#accounts', 1280);
  await heading(page, 'People').waitFor();
  const before = await places();
  await page.getByRole('link', { name: 'Teams', exact: true }).click();
  await heading(page, 'Teams').waitFor();
  expect(await places()).toEqual(before);
});
