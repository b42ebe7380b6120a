import { expect, test, vi } from 'vitest';
import { all, dialogs, fill, openPage, press, settle, texts } from './opened.ts';

const ADA = { username: 'ada', user_first_name: 'Ada', user_last_name: 'King', user_short: 'AK' };
const ADA_ITEM = { id: '2', ...ADA };
const ANNA = { id: '1', username: 'anna', user_first_name: 'Anna', user_last_name: 'Keller' };

const profileOf = (owner: string) => ({
  'account/profile': ({ path }: { path: string }) =>
    path === 'account/profile'
      ? { instance: { 'kv.v.owner.name': owner }, user: ADA, roles: ['sys_administrator'] }
      : undefined,
});

async function key(name: string, target: EventTarget = document.activeElement ?? document.body) {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  await settle();
  return event.defaultPrevented;
}

test.each([
  ['its owner', 'Example Ltd', 'Example Ltd'],
  ['its host, without an owner', '', 'localhost:3000'],
])('the header and the title of the tab name the instance by %s', async (_what, owner, name) => {
  await openPage({ address: '#teams', answers: profileOf(owner) });
  expect([texts('header > strong'), document.title]).toEqual([[name], `Teams – ${name}`]);
  await press('Attention');
  expect(document.title).toBe(`Needs attention – ${name}`);
});

test('the title of the tab names the account that the screen shows', async () => {
  await openPage({ address: '#account?username=bob', answers: profileOf('Example Ltd') });
  expect(document.title).toBe('bob – Example Ltd');
});

test('the menu names who is signed in, moves by arrows, and Escape returns to its button', async () => {
  await openPage({ answers: profileOf('') });
  expect(all('[role=menu]')).toEqual([]);
  await press('Your account');
  expect([texts('.who strong'), texts('.who .faint')]).toEqual([['Ada King'], ['ada · Administrator']]);
  const items = texts('[role=menuitem]');
  expect([items.at(-1), document.activeElement?.textContent]).toEqual(['Log out', items[0]]);
  await key('End');
  expect(document.activeElement?.textContent).toBe('Log out');
  await key('ArrowDown');
  expect(document.activeElement?.textContent).toBe(items[0]);
  await key('ArrowUp');
  expect(document.activeElement?.textContent).toBe('Log out');
  expect(await key('Escape')).toBe(true);
  expect([all('[role=menu]'), document.activeElement?.getAttribute('aria-label')]).toEqual([
    [],
    'Your account',
  ]);
});

test('the menu closes when the focus leaves it', async () => {
  await openPage();
  await press('Your account');
  document.querySelector<HTMLElement>('nav a')?.focus();
  await settle();
  expect(all('[role=menu]')).toEqual([]);
});

test('the key / searches people by what is typed, and Enter opens the account', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { of } = await openPage({ address: '#teams' });
  expect(await key('/', document.body)).toBe(true);
  expect(dialogs()).toEqual(['Find a person']);
  await fill({ 'Name or username': 'an' });
  await fill({ 'Name or username': ' anna ' });
  expect(of('account/browse')).toEqual([]);
  vi.runOnlyPendingTimers();
  await settle();
  expect(of('account/browse').map(({ query }) => query)).toEqual([{ q: 'anna', kind: 'person', limit: '8' }]);
  of('account/browse')[0]?.answer({ items: [ANNA] });
  await settle();
  expect(texts('[role=option]')).toEqual(['Anna Kelleranna']);
  await key('Enter', document.querySelector('dialog input') as EventTarget);
  expect([dialogs(), location.hash]).toEqual([[], '#account?username=anna']);
  vi.useRealTimers();
});

test('the key / is text in a field and in a dialog', async () => {
  await openPage();
  const search = document.querySelector<HTMLInputElement>('main input[type=search]') as HTMLInputElement;
  expect([await key('/', search), dialogs()]).toEqual([false, []]);
  await press('Find a person');
  expect([await key('/', document.body), dialogs()]).toEqual([false, ['Find a person']]);
});

test.each(['input[type=checkbox]', 'main button', 'header nav a', 'select'])(
  'the key / opens the search from %s',
  async (selector) => {
    await openPage({ answers: { ...profileOf(''), 'account/browse': () => ({ items: [ANNA] }) } });
    const [outside] = all(selector);
    outside?.focus();
    expect(document.activeElement).toBe(outside);
    expect([await key('/'), dialogs()]).toEqual([true, ['Find a person']]);
  },
);

test('Enter waits for the people of the text that is typed, unless it changes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { of } = await openPage({ address: '#teams' });
  await key('/', document.body);
  const enter = () => key('Enter', document.querySelector('dialog input') as EventTarget);
  const type = async (text: string) => {
    await fill({ 'Name or username': text });
    vi.runOnlyPendingTimers();
    await settle();
  };
  const answer = async (items: object[]) => {
    of('account/browse').at(-1)?.answer({ items });
    await settle();
  };
  await type('a');
  await enter();
  await type('ad');
  await answer([ADA_ITEM]);
  expect([texts('[role=option]'), dialogs()]).toEqual([['Ada Kingada'], ['Find a person']]);
  await type('an');
  await enter();
  expect(dialogs()).toEqual(['Find a person']);
  await answer([ANNA]);
  expect([dialogs(), location.hash]).toEqual([[], '#account?username=anna']);
  vi.useRealTimers();
});

test('a person without the role has no navigation and no search', async () => {
  await openPage({ answers: { 'account/profile': () => ({ user: ADA, roles: [], teams: [], apps: [] }) } });
  await key('/', document.body);
  expect([all('header nav'), all('.search'), dialogs()]).toEqual([[], [], []]);
});

const current = () =>
  all('header [aria-current]').map((each) => [
    each.textContent || each.getAttribute('aria-label'),
    each.getAttribute('aria-current'),
  ]);

test.each([
  ['#accounts', 'People', 'page'],
  ['#account?username=bob', 'People', 'true'],
  ['#invite', 'People', 'true'],
  ['#import', 'People', 'true'],
  ['#teams', 'Teams', 'page'],
  ['#me?part=tokens', 'Your account', 'true'],
])('at %s, the header marks %s as the current section', async (address, section, value) => {
  await openPage({ address });
  expect(current()).toEqual([[section, value]]);
});

test('the header marks Machines while it shows the account of a machine, and only then', async () => {
  const machine = { id: '3', username: 'robot', kind: 'machine', isactive: true, islocked: false };
  const profile = { user: { username: 'robot' }, roles: [], teams: [], apps: [] };
  await openPage({
    address: '#account?username=robot',
    answers: {
      'account/browse': () => ({ items: [machine] }),
      'account/profile/robot': () => profile,
      'account/profile': () => ({ user: ADA, roles: ['sys_administrator'] }),
    },
  });
  expect(current()).toEqual([['Machines', 'true']]);
  await press('Teams');
  expect(current()).toEqual([['Teams', 'page']]);
});

test('the header has the logo of the owner before the name', async () => {
  const logo = 'data:image/png;base64,AA==';
  document.documentElement.dataset['logo'] = logo;
  await openPage({ answers: profileOf('Example Ltd') });
  delete document.documentElement.dataset['logo'];
  const [image] = all('header img') as HTMLImageElement[];
  expect([image?.src, image?.alt, texts('header > strong')]).toEqual([logo, '', ['Example Ltd']]);
});

test('the menu has the other language at the same address, and the documentation of the API', async () => {
  await openPage({ address: '#teams?cursor=x' });
  await press('Your account');
  const [other] = all('[role=menuitem]', 'Deutsch') as HTMLAnchorElement[];
  const [docs] = all('[role=menuitem]', 'API documentation') as HTMLAnchorElement[];
  expect([other?.getAttribute('href'), other?.lang, docs?.getAttribute('href')]).toEqual([
    '?language=de#teams?cursor=x',
    'de',
    'docs',
  ]);
});

test('a German header has German links and a German menu', async () => {
  await openPage({ language: 'de', answers: profileOf('Beispiel GmbH') });
  expect(texts('header nav a').slice(0, 4)).toEqual(['Personen', 'Maschinen', 'Teams', 'Aktivität']);
  await press('Ihr Konto');
  expect([texts('.who .faint'), texts('[role=menuitem]')]).toEqual([
    ['ada · Administrator'],
    [
      ...['Profil', 'Passwort', 'Passkeys', 'Sitzungen', 'API-Tokens'],
      ...['English', 'API-Dokumentation', 'Abmelden'],
    ],
  ]);
  await press('Person suchen');
  expect([dialogs(), texts('dialog p')]).toEqual([
    ['Person suchen'],
    ['Geben Sie einen Teil des Namens oder Benutzernamens ein.'],
  ]);
});

test('a search shows names first, and the username of those with a name', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { of } = await openPage({ address: '#teams' });
  await press('Find a person');
  await fill({ 'Name or username': 'an' });
  vi.runOnlyPendingTimers();
  await settle();
  of('account/browse')[0]?.answer({ items: [ANNA, { id: '4', username: 'anon' }] });
  await settle();
  expect([texts('[role=option] > span > bdi'), texts('[role=option] small')]).toEqual([
    ['Anna Keller', 'anon'],
    ['anna'],
  ]);
  vi.useRealTimers();
});

test('a filter by a person names the person, with the username on hover', async () => {
  const { of } = await openPage({
    address: '#audit?actor=anna',
    answers: { 'account/browse': () => ({ items: [ANNA] }), 'audit/browse': () => ({ items: [] }) },
  });
  expect(of('account/browse').map(({ query }) => query['username'])).toContain('anna');
  const chips = all('.chips .chip').map((chip) => [chip.textContent, chip.title]);
  expect(chips).toEqual([['Anna Keller', 'anna']]);
});
