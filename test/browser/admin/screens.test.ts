import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { accountKey, directoryIndex, outboxKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { administrator, credentials, noted, target } from '../../integration/service.ts';
import { eventItem, storedSession, storedToken } from '../../unit/support/items.ts';
import { unnamed, violations, WCAG } from '../browser.ts';
import { createAdministrator, createAlike, openPage, PAGE, traces } from './page.ts';

/** IDs of all screens, from their source: it does not load outside of a browser. */
const SCREENS = readFileSync(new URL('../../../infra/admin-page/screens/index.ts', import.meta.url), 'utf8');
const ids = [...SCREENS.matchAll(/id: '(\w+)',/g)].map(([, id]) => `${id}`).filter((id) => id !== 'parts');

/** Turns the direction of all text that follows, unless it is isolated. */
const OVERRIDE = '\u202e';

const MARKUP = `<img src=x onerror=alert(1)><script>alert(1)</script>${OVERRIDE}`;
const WIDE = '\ufdfd'.repeat(128);

/** Creates accounts with texts that earlier versions accepted: all fields of the first, and the lock of the second. */
async function createHostile(): Promise<string> {
  const { prefix, users } = await createAlike(12, { lockoutenabled: true });
  const [first, second] = users as [(typeof users)[0], (typeof users)[0]];
  const { runtime } = await target();
  const { table } = runtime;
  const { team_id } = await administrator.team.create({
    short: prefix.slice(0, 30),
    name: `<b>${'W'.repeat(100)}`,
    type: 'test',
  });
  const membership = { team_id, team_short: MARKUP, team_name: WIDE, team_type: MARKUP, teamuser_lvl: null };
  const account = {
    ...first.account,
    user_first_name: MARKUP,
    user_last_name: WIDE,
    user_short: OVERRIDE,
    user_color: 'red;background:url(//other.example)',
    phonenumber: MARKUP,
    roles: ['editor', MARKUP, 'w'.repeat(128)],
    apps: [MARKUP, WIDE],
    teams: [membership],
    team_id,
    team_name: WIDE,
    user_app_name: MARKUP,
  };
  const { username, id } = account;
  await put(table, accountKey(username), { ...directoryIndex(username), ...account });
  await storedToken(table, { username, userid: id, name: MARKUP, description: WIDE });
  await storedSession(table, account, { user_agent: MARKUP + WIDE, address: MARKUP, credential: MARKUP });
  const event = eventItem(1, { detailType: MARKUP, detail: JSON.stringify({ username: MARKUP }) });
  await put(table, outboxKey(event.id), { ...event, detail: `${event.detail}`, setAsideAt: 1 });
  const locked = { ...second.account, lockoutend: '9999-12-31T23:59:59+00:00', lock_reason: MARKUP + WIDE };
  await put(table, accountKey(second.username), { ...directoryIndex(second.username), ...locked });
  return prefix;
}

const prefix = await createHostile();
const user = await createAdministrator();
const jwt = await user.logIn();
const { page, offences } = await openPage({ address: `#accounts?q=${prefix}`, cookie: jwt });

/** Waits until nothing is requested, loads or moves any more. */
async function settled() {
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy=true], .late').first().waitFor({ state: 'detached' });
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
}

/** Loads the page at the address of a screen, or of one of its parts. */
async function show(id: string, part = '') {
  const [screen, state] = `${addresses.get(id)}`.split('?');
  const query = new URLSearchParams(state);
  if (part) query.set('part', part);
  await page.goto(`${PAGE}${screen}?${query}`);
  await page.reload();
  await settled();
}

/** The address of each screen, by the links that lead to it. */
const addresses = new Map([['accounts', `#accounts?q=${prefix}`]]);
for (const shown of addresses.keys()) {
  await show(shown);
  await page.getByRole('button', { name: 'Your account' }).click();
  const links = await page
    .locator('a[href^="#"]')
    .evaluateAll((all) => all.map((link) => `${link.getAttribute('href')}`));
  for (const link of links) {
    const id = link.slice(1).replace(/\?.*/, '');
    if (!addresses.has(id)) addresses.set(id, link);
  }
}

/** Runs in the page: elements that break its layout, were created from text, or are names that turn the text around them. */
const FAULTS = `[
  ...(document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways: ' +
    [...document.body.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > innerWidth)
      .slice(0, 3).map((each) => each.outerHTML.slice(0, 200))] : []),
  ...[...document.body.querySelectorAll('main :is(div, section):has(> button)')].filter((each) => each.scrollWidth > each.clientWidth)
    .map((each) => 'cuts buttons: ' + each.outerHTML.slice(0, 200)),
  ...[...document.body.querySelectorAll('dialog label')]
    .filter((each) => each.control?.required !== getComputedStyle(each, '::after').content.includes('(required)'))
    .map((each) => 'required or not: ' + each.outerHTML),
  ...[...document.body.querySelectorAll('script, img, svg, iframe, object, embed, style, b')].map((each) => 'created ' + each.outerHTML),
  ...(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode())
      if (texts.currentNode.data.includes('${OVERRIDE}') && !texts.currentNode.parentElement.closest('bdi, option'))
        found.push('not isolated: ' + texts.currentNode.parentElement.outerHTML.slice(0, 300));
    return found;
  })(),
]`;

/** Runs in the page: the fault of the next stop of the keyboard, and whether all were visited. */
const STOP = `(() => {
  const at = document.activeElement;
  const all = (window.stops ??= new Set());
  const describe = (each) => each.outerHTML.slice(0, 200);
  if (at === document.body) return { ended: false, faults: [] };
  if (all.has(at) && window.last !== at) {
    const within = document.querySelector('dialog[open]') ?? document;
    const missed = [...within.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((each) =>
      each.checkVisibility() && !each.disabled && each.tabIndex >= 0 && !all.has(each));
    window.stops = undefined;
    return { ended: true, faults: missed.map((each) => 'not reached: ' + describe(each)) };
  }
  all.add(window.last = at);
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const { left, top, width, height } = at.getClientRects()[0];
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  return { ended: false, faults: [
    ...(outlineStyle === 'none' || parseFloat(outlineWidth) < 2 ? ['focus not visible: ' + describe(at)] : []),
    ...(hit && (at.contains(hit) || hit.contains(at)) ? [] : ['hidden: ' + describe(at) + ' by ' + (hit ? describe(hit) : 'the edge')]),
  ] };
})()`;

/** Runs in the page: the open list of a field whose first or last line something cuts or covers. */
const HIDDEN_LIST = `[...document.querySelectorAll('dialog .popup')].filter((list) => {
  const { left, top, bottom } = list.getBoundingClientRect();
  return [top + 4, bottom - 4].some((y) => !list.contains(document.elementFromPoint(left + 20, y)));
}).map((list) => 'hidden list: ' + list.outerHTML.slice(0, 200))`;

/** The faults of the lists of the fields of a dialog. */
async function listFaults(): Promise<string[]> {
  const found: string[] = [];
  for (const field of await page.locator('dialog:not(.top) [role=combobox]').all()) {
    await field.click();
    found.push(...((await page.evaluate(HIDDEN_LIST)) as string[]));
    await field.blur();
  }
  return found;
}

/** All widths have the same colours, and both colours the same layout, so two of the four pairs suffice. */
const VIEWS = [
  [1280, 'light'],
  [390, 'dark'],
] as const;

/** The faults of the open screen or dialog, on a desk in light and on a phone in dark, and by keyboard. */
async function faults(): Promise<string[]> {
  const found: string[] = [];
  const context = (await page.getByRole('dialog').count()) > 0 ? 'dialog[open]' : 'html';
  for (const [width, colorScheme] of VIEWS) {
    await page.setViewportSize({ width, height: 700 });
    await page.emulateMedia({ colorScheme });
    const seen = [
      ...((await page.evaluate(FAULTS)) as string[]),
      ...(await listFaults()),
      ...(await unnamed(page)),
      ...(await violations(page, context, { runOnly: WCAG })),
    ];
    found.push(...seen.map((fault) => `${width} ${colorScheme}: ${fault}`));
    for (let stops: { ended?: boolean; faults: string[] }; ; ) {
      await page.keyboard.press('Tab');
      stops = (await page.evaluate(STOP)) as typeof stops;
      found.push(...stops.faults.map((fault) => `${width} keyboard: ${fault}`));
      if (stops.ended) break;
    }
  }
  return found;
}

/** Opens each kind of dialog of a part of the page by keyboard, and closes it with Escape. */
async function dialogFaults(part: 'header' | 'main'): Promise<string[]> {
  const found: string[] = [];
  const openers = page.locator(`${part} button[aria-haspopup=dialog]`);
  const labels = await openers.allTextContents();
  for (const label of new Set(labels)) {
    const opener = openers.nth(labels.indexOf(label));
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await settled();
    for (const fault of await faults()) found.push(`${label}: ${fault}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const focus = await page.evaluate('document.activeElement.textContent');
    if (focus !== label) found.push(`${label}: the focus is on ${focus}`);
  }
  return found;
}

test('each screen is reached by a link', () => {
  expect([...addresses.keys()].toSorted()).toEqual(ids.toSorted());
});

/** The parts of screens other than those that they show first. */
const PARTS = {
  account: ['access', 'tokens', 'sessions', 'history'],
  me: ['password', 'passkeys', 'sessions', 'tokens'],
};

const ADDRESSES = [
  ...ids.map((id) => [id, '']),
  ...Object.entries(PARTS).flatMap(([id, parts]) => parts.map((part) => [id, part])),
] as [string, string][];

test.each(ADDRESSES)(
  'the screen %s %s and its dialogs work by keyboard, in light and dark, on a phone, with hostile texts',
  async (id, part) => {
    await show(id, part);
    await page.evaluate('for (const each of document.querySelectorAll("main details")) each.open = true');
    await settled();
    // The actions on chosen rows appear with the first one.
    for (const box of await page.getByRole('row').getByRole('checkbox').all()) await box.check();
    const found = [...(await faults()), ...(await dialogFaults('main'))];
    expect([...found, ...offences, ...(await traces(page, [...credentials]))]).toEqual([]);
  },
);

test('the common dialog, a dialog with a secret, the end of a session and the login are accessible', async () => {
  await show('account');
  const found = await dialogFaults('header');
  const add = async (what: string) => found.push(...(await faults()).map((fault) => `${what}: ${fault}`));
  await page.getByRole('button', { name: 'Your account' }).click();
  found.push(...(await violations(page, 'header', { runOnly: WCAG })));
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await add('log out');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Your account' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Create one-time code' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create one-time code' }).click();
  noted(await page.getByLabel('One-time code', { exact: true }).inputValue());
  await add('secret');
  await page.getByRole('button', { name: 'Close' }).click();
  await administrator.account.lock({ username: user.username });
  // Not by its link: the history may be read before, and the dialog that follows covers the link.
  await page.evaluate("location.hash = '#teams'");
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await add('end');
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForLoadState();
  for (const title of ['Use a one-time code', 'Log in with a password']) {
    await page.getByRole('link', { name: title }).click();
    await add(title);
  }
  expect([...found, ...offences]).toEqual([]);
}, 60_000);
