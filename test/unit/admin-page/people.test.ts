import { expect, test } from 'vitest';
import { all, dialogs, field, openPage, press, type Sent, settle, texts } from './opened.ts';

const account = (username: string, state: object = {}) => ({
  id: `id of ${username}`,
  username,
  user_first_name: '',
  user_last_name: '',
  isactive: true,
  islocked: false,
  created_at: '2026-01-01T00:00:00Z',
  lastActivity: '2026-01-02T00:00:00',
  password_set: true,
  code_expires_at: null,
  role_names: [],
  team_shorts: [],
  ...state,
});

const OPEN = { password_set: false, lastActivity: '2026-01-01T00:00:00' };

const STATES: readonly [string, string, object][] = [
  ['Active', 'Aktiv', {}],
  ['Invited', 'Eingeladen', { ...OPEN, code_expires_at: '2999-01-01T00:00:00Z' }],
  ['Code expired', 'Code abgelaufen', { ...OPEN, code_expires_at: '2026-01-01T00:00:00Z' }],
  ['Never used', 'Nie benutzt', { ...OPEN }],
  ['Locked', 'Gesperrt', { islocked: true, lockoutending: '9999-12-31T23:59:59Z' }],
  ['Cancelled', 'Gekündigt', { isactive: false, cancelled_at: '2026-02-01T00:00:00Z' }],
];

const ITEMS = STATES.map(([name, , state], n) => account(`${n}`, { user_first_name: name, ...state }));

const open = (items: readonly object[], options: Partial<Parameters<typeof openPage>[0]> = {}) =>
  openPage({
    answers: { 'account/browse': () => ({ items, stats: { count: 403, today: 1, last_week: 2 } }) },
    ...options,
  });

test('the list names the true state of each person, and has a filter for each state', async () => {
  const { of } = await open(ITEMS);
  expect(texts('td .badge')).toEqual(STATES.map(([name]) => name));
  const links = all('.states a') as HTMLAnchorElement[];
  expect(links.map(({ textContent, hash }) => [textContent?.trim(), hash])).toEqual([
    ['All', '#accounts'],
    ...STATES.map(([name]) => [name, `#accounts?state=${name.toLowerCase().replace(' ', '_')}`]),
  ]);
  await press('Code expired ');
  expect(of('account/browse').at(-1)?.query['state']).toBe('code_expired');
});

test('a person who is cancelled and locked is shown as both', async () => {
  await open([account('a', { isactive: false, islocked: true, lockoutending: '9999-12-31T23:59:59Z' })]);
  expect(texts('td .badge')).toEqual(['Locked', 'Cancelled']);
});

test('the states that nobody cancelled can have end the filter by the time of cancellation', async () => {
  await open([], { address: '#accounts?cancelled_since=2026-01-01' });
  const links = all('.states a') as HTMLAnchorElement[];
  const kept = links.filter(({ hash }) => hash.includes('cancelled_since'));
  expect(kept.map(({ textContent }) => textContent?.trim())).toEqual(['All', 'Locked', 'Cancelled']);
});

test('the list names no totals, since those count machines', async () => {
  await open(ITEMS);
  expect(texts('.heading p')).toEqual(['Sorted by username.']);
});

test('roles of the service have the names that people call them by', async () => {
  await open([account('a', { role_names: ['sys_administrator', 'clerk'] })]);
  expect(texts('td[data-label=Roles]')).toEqual(['Administrator, clerk']);
});

test('a filter by a role of the service is named by what people call it', async () => {
  await open([], { address: '#accounts?role=sys_administrator' });
  expect(texts('.chip')).toEqual(['Role: Administrator']);
});

/** Words that no German text of the page has. */
const ENGLISH =
  /\b(the|is|are|was|will|with|of|and|not|to|until|select\w*|people|lock\w*|unlock|cancel\w*|role|undo|new|invite|import|sorted|changed|active|never)\b/gi;

const english = (selector: string) => texts(selector).join(' · ').match(ENGLISH);

async function checkAll() {
  const box = field('Alle auf dieser Seite auswählen');
  box.checked = true;
  box.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
}

test('the list is German on the German page', async () => {
  await open(
    STATES.map(([, , state], n) => account(`${n}`, state)),
    { language: 'de' },
  );
  expect([texts('h1'), texts('td .badge')]).toEqual([['Personen'], STATES.map(([, german]) => german)]);
  await checkAll();
  expect(texts('.bulk strong')).toEqual(['6 Personen ausgewählt']);
  expect(texts('.bulk button')).toEqual([
    'Auswahl aufheben',
    'Sperren',
    'Entsperren',
    'Rolle geben',
    'Rolle entziehen',
    'Neue Codes',
    'Konto kündigen',
  ]);
  for (const selector of ['.heading', '.states', 'thead', '.bulk']) expect(english(selector)).toBeNull();
});

test('the empty list is German on the German page', async () => {
  await open([], { language: 'de', address: '#accounts?q=x' });
  expect(texts('main .button')).toEqual(expect.arrayContaining(['Alle Filter entfernen', 'Einladen']));
  expect(english('.empty')).toBeNull();
});

test('the dialogs and the report of a change are German on the German page', async () => {
  const { of } = await open([account('anna', { user_first_name: 'Anna' }), account('bo')], {
    language: 'de',
  });
  await checkAll();
  for (const action of [
    'Sperren',
    'Entsperren',
    'Rolle geben',
    'Rolle entziehen',
    'Neue Codes',
    'Konto kündigen',
  ]) {
    await press(action);
    expect([action, english('dialog')]).toEqual([action, null]);
    await press('Zurück');
  }
  await press('Sperren');
  expect(dialogs()).toEqual(['2 Personen sperren?']);
  await press('Sperren');
  const [anna, bo] = of('account/lock') as [Sent, Sent];
  anna.answer({ changed: true });
  bo.answer({ changed: false });
  await settle();
  expect(texts('dialog p')[0]).toBe('Sie haben Anna gesperrt (1 hatte diese Sperre schon).');
  expect(english('dialog')).toBeNull();
});

test('the codes and their warning are German on the German page', async () => {
  const { of } = await open([account('anna', OPEN), account('bo')], { language: 'de' });
  await checkAll();
  await press('Neue Codes');
  await press('Neue Codes');
  of('account/code')[0]?.answer({ code: 'AAAA', expires_at: '2026-12-01T00:00:00Z' });
  await settle();
  await press('Schließen');
  expect(texts('dialog p')[0]).toBe('Sie haben Codes für 1 Person erstellt.');
  expect(english('dialog p')).toBeNull();
});
