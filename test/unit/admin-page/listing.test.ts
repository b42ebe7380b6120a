import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { all, field, fill, openPage, pick, press, settle, texts } from './opened.ts';

const TYPING_MS = 250;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const account = (username: string) => ({
  id: username,
  username,
  user_first_name: 'A',
  user_last_name: 'B',
  isactive: true,
  islocked: false,
  created_at: '2026-01-01T00:00:00Z',
  lastActivity: '2026-01-02T00:00:00',
  role_names: ['clerk'],
  team_shorts: [],
});

/** Of each request for a page. */
const PAGE = { limit: '50', kind: 'person', names: 'true' };

const STATS = { count: 1204, locked: 12, today: 3, last_week: 5, as_of: '2026-01-01T00:00:00Z' };

const many = Array.from({ length: 50 }, (_, n) => account(`user-${n}`));

/** Opens the accounts: each page is full, and is followed by another one. */
async function openAccounts(address = '#accounts') {
  let number = 0;
  const page = await openPage({
    address,
    answers: { 'account/browse': () => ({ items: many, stats: STATS, next_cursor: `p${++number}` }) },
  });
  const queries = () => page.of('account/browse').map(({ query }) => query);
  return { ...page, queries, last: () => queries().at(-1) };
}

/** Opens the filters that are used less. */
async function openFilters() {
  const details = all('details').at(-1) as HTMLDetailsElement;
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
  await settle();
}

async function typed(values: Readonly<Record<string, string>>) {
  await fill(values);
  vi.advanceTimersByTime(TYPING_MS);
  await settle();
}

/** Goes to an address, as Back and Forward do. */
async function follow(hash: string) {
  history.pushState(null, '', hash);
  dispatchEvent(new Event('hashchange'));
  await settle();
}

test('the next page keeps the filters, and a changed filter starts with the first page', async () => {
  const { last } = await openAccounts('#accounts?q=ada&state=locked&team=ops');
  const filters = { q: 'ada', state: 'locked', team: 'ops', ...PAGE };
  expect(last()).toEqual(filters);
  await press('Next page');
  expect(last()).toEqual({ ...filters, cursor: 'p1' });
  await press('Next page');
  expect(last()).toEqual({ ...filters, cursor: 'p2' });
  expect([field('Search').value, texts('.states [aria-current]'), texts('.chip')]).toEqual([
    'ada',
    ['Locked '],
    ['Team: ops'],
  ]);
  await typed({ Search: 'bob' });
  expect(last()).toEqual({ ...filters, q: 'bob' });
  expect(location.hash).toBe('#accounts?q=bob&state=locked&team=ops');
});

test('the first page keeps the filters', async () => {
  const { last } = await openAccounts('#accounts?q=ada&team=ops&cursor=p9');
  await press('First page');
  expect(last()).toEqual({ q: 'ada', team: 'ops', ...PAGE });
  expect(all('a', 'First page')).toEqual([]);
});

test('the last page has no next one', async () => {
  await openPage({ address: '#accounts?cursor=x', answers: { 'account/browse': () => ({ items: many }) } });
  expect([all('a', 'Next page').length, all('a', 'First page').length]).toEqual([0, 1]);
});

test('a listing without a match offers the next page if there is one', async () => {
  let next_cursor: string | undefined = 'x';
  const answers = { 'account/browse': () => ({ items: [], next_cursor }) };
  const { of } = await openPage({ answers });
  expect(texts('.empty')).toEqual(['No match so far. Continue with the next page.']);
  next_cursor = undefined;
  await press('Next page');
  expect([texts('.empty p'), texts('.empty a')]).toEqual([
    ['No one matches. Remove a filter or a word, or invite the person.'],
    ['Remove all filters', 'Invite'],
  ]);
  expect(of('account/browse')).toHaveLength(11);
});

test('typing requests nothing until it pauses, and then once with all that was typed', async () => {
  const { queries, last } = await openAccounts();
  for (const text of ['a', 'ad', 'ada']) {
    await fill({ Search: text });
    vi.advanceTimersByTime(TYPING_MS - 1);
    await settle();
  }
  await openFilters();
  await fill({ Use: 'true' });
  expect(queries()).toHaveLength(1);
  vi.advanceTimersByTime(TYPING_MS);
  await settle();
  expect(queries()).toHaveLength(2);
  expect(last()).toEqual({ q: 'ada', never_used: 'true', ...PAGE });
});

test('typing replaces the entry of the history, so that Back leaves the screen', async () => {
  await openAccounts();
  const before = history.length;
  await typed({ Search: 'ada' });
  await typed({ Search: 'adam' });
  expect(history.length).toBe(before);
});

test('a typed filter is dropped when another screen is opened before the pause', async () => {
  await openAccounts();
  await fill({ Search: 'ada' });
  await press('Teams');
  vi.advanceTimersByTime(TYPING_MS);
  await settle();
  expect(location.hash).toBe('#teams');
});

test('an emptied filter is left out', async () => {
  const { last } = await openAccounts('#accounts?q=ada&never_used=true');
  await openFilters();
  await typed({ Search: ' ', Use: '' });
  expect([last(), location.hash]).toEqual([PAGE, '#accounts']);
});

test('each filter that is used less has a chip, which removes it and starts with the first page', async () => {
  const { last } = await openAccounts('#accounts?q=ada&role=clerk&never_used=true&cursor=p9&cursor-first=51');
  expect([texts('.chip'), all('details[open]')]).toEqual([['Role: clerk', 'Use: Never used'], []]);
  await press('Remove Role: clerk');
  expect([last(), texts('.chip')]).toEqual([{ q: 'ada', never_used: 'true', ...PAGE }, ['Use: Never used']]);
});

test('a filter by a role, a team or an application is picked from the names in use', async () => {
  const { of, last } = await openAccounts('#accounts?cursor=p9');
  expect(of('team/browse')).toEqual([]);
  await openFilters();
  of('team/browse')[0]?.answer({ items: [{ team_short: 'OPS', team_name: 'Operations' }] });
  await settle();
  await fill({ Role: '' });
  expect(texts('[role=option] bdi').slice(0, 2)).toEqual(['clerk', 'Administrator']);
  await pick({ Team: 'oper' });
  expect([last(), texts('.chip')]).toEqual([{ team: 'OPS', ...PAGE }, ['Team: OPS']]);
  await pick({ Role: 'unseen' });
  expect([last(), texts('.chip')]).toEqual([
    { team: 'OPS', role: 'unseen', ...PAGE },
    ['Role: unseen', 'Team: OPS'],
  ]);
});

test('the states are filters without numbers, since the statistics count machines, and begin with the first page', async () => {
  const { last } = await openAccounts('#accounts?q=ada&cancelled_since=2026-01-01&cursor=p9');
  expect(texts('.states a')).toEqual([
    'All ',
    'Active ',
    'Invited ',
    'Code expired ',
    'Never used ',
    'Locked ',
    'Cancelled ',
  ]);
  expect(texts('.heading p')).toEqual(['Sorted by the time of cancellation.']);
  await press('Locked ');
  expect(last()).toMatchObject({ q: 'ada', state: 'locked' });
  expect(last()).not.toHaveProperty('cursor');
  await press('Active ');
  expect(last()).toEqual({ q: 'ada', state: 'active', ...PAGE });
});

test.each([
  ['', '1 to 50', '51 to 100'],
  ['?state=locked&q=ada', '1 to 50', '51 to 100'],
])(
  'a page of %j has the numbers of its rows, and no total, since the statistics count machines',
  async (query, first, second) => {
    await openAccounts(`#accounts${query}`);
    expect(texts('.foot > span')).toEqual([first]);
    await press('Next page');
    expect(texts('.foot > span')).toEqual([second]);
    await press('First page');
    expect(texts('.foot > span')).toEqual([first]);
  },
);

test('the previous page is the one that led to this one, with its numbers, also after other filters and screens', async () => {
  let isOther = false;
  // Other than the first listing, the second one has the same cursors at other places.
  const cursors: Record<string, string> = { '': 'p1', p1: 'p2', p2: 'p3' };
  const others: Record<string, string> = { '': 'p2', p2: 'p1' };
  const { of } = await openPage({
    answers: {
      'account/browse': ({ query }) => ({
        items: many,
        next_cursor: (isOther ? others : cursors)[query['cursor'] ?? ''],
      }),
    },
  });
  const place = () => [of('account/browse').at(-1)?.query['cursor'], texts('.foot > span')[0]];
  const links = () => texts('.foot a');
  expect(links()).toEqual(['Next page']);
  await press('Next page');
  await press('Next page');
  expect([place(), links()]).toEqual([
    ['p2', '101 to 150'],
    ['First page', 'Previous page', 'Next page'],
  ]);
  const third = location.hash;
  isOther = true;
  await typed({ Search: 'ada' });
  await press('Next page');
  await press('Next page');
  isOther = false;
  await press('Teams');
  await follow(third);
  await press('Previous page');
  expect(place()).toEqual(['p1', '51 to 100']);
  await press('Previous page');
  expect([place(), links()]).toEqual([[undefined, '1 to 50'], ['Next page']]);
});

test('a page that the person has not come to by another one has no previous one', async () => {
  await openAccounts('#accounts?cursor=p9&cursor-first=51');
  expect(texts('.foot a')).toEqual(['First page', 'Next page']);
});

test.each([
  ['', 'Sorted by username.'],
  ['?cancelled_since=2026-01-01', 'Sorted by the time of cancellation.'],
])('the list of people at %j says by what it is sorted', async (query, note) => {
  await openAccounts(`#accounts${query}`);
  expect(texts('.heading p')).toEqual([note]);
});

test('a last page knows the total, and a page of an unknown number has no numbers', async () => {
  const answers = { 'account/browse': () => ({ items: many.slice(7) }) };
  await openPage({ address: '#accounts?q=ada&cursor=x&cursor-first=51', answers });
  expect(texts('.foot > span')).toEqual(['51 to 93 of 93']);
  await openPage({ address: '#accounts?cursor=x', answers });
  expect(texts('.foot > span').slice(1)).toEqual([]);
});

test('a date is a filter by its midnight in the zone of the browser, on each page', async () => {
  const { TZ } = process.env;
  process.env['TZ'] = 'Asia/Tokyo';
  const { last } = await openAccounts('#accounts?inactive_since=2026-03-29&cancelled_since=2026-03-30');
  await press('Next page');
  process.env['TZ'] = TZ;
  expect(last()).toEqual({
    inactive_since: '2026-03-28T15:00:00.000Z',
    cancelled_since: '2026-03-29T15:00:00.000Z',
    ...PAGE,
    cursor: 'p1',
  });
  await openFilters();
  expect(field('Inactive since').value).toBe('2026-03-29');
});

test('days ago fill a date, and a later date than today is no filter', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 27, 12) });
  const { last } = await openAccounts('#accounts');
  await openFilters();
  await press('90 days ago');
  expect([field('Inactive since').value, location.hash]).toEqual([
    '2026-08-29',
    '#accounts?inactive_since=2026-08-29',
  ]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date(2026, 10, 27, 12) });
  for (const label of ['Inactive since', 'Cancelled since']) {
    const before = last();
    await fill({ [label]: '2026-11-28' });
    vi.runAllTimers();
    await settle();
    expect([last(), field(label).max, field(label).value]).toEqual([before, '2026-11-27', '2026-11-28']);
    expect(texts('.filters small').filter((text) => text?.startsWith('Not used'))).toHaveLength(1);
  }
  await fill({ 'Cancelled since': '2026-11-27' });
  vi.runAllTimers();
  await settle();
  expect(location.hash).toBe('#accounts?inactive_since=2026-08-29&cancelled_since=2026-11-27');
  vi.useRealTimers();
});

test('the reason of a lock is opened by keyboard and touch, since a row cuts it', async () => {
  const reason = '\ufdfd'.repeat(128);
  const locked = { ...account('ada'), islocked: true, lockoutending: null, lock_reason: reason };
  await openPage({ answers: { 'account/browse': () => ({ items: [locked] }) } });
  expect(texts('td details > summary > bdi')).toEqual([reason]);
});

test('a download has the filters of the listing, and begins with its first page', async () => {
  const { of } = await openPage({ address: '#accounts?q=ada&team=ops&cursor=p9' });
  of('account/browse')[0]?.answer({ items: many });
  await settle();
  await press('Download');
  expect(of('account/browse').at(-1)?.query).toEqual({
    kind: 'person',
    names: 'true',
    q: 'ada',
    team: 'ops',
    limit: '1000',
  });
});

test('a listing offers no file before its items, and none without items', async () => {
  const { of } = await openPage();
  expect(all('button', 'Download')).toEqual([]);
  of('account/browse')[0]?.answer({ items: [] });
  await settle();
  expect([all('.empty').length, all('button', 'Download')]).toEqual([1, []]);
});

test('a listing keeps its rows and shows that it is busy while the next page loads', async () => {
  const { of } = await openPage();
  of('account/browse')[0]?.answer({ items: many, next_cursor: 'p2' });
  await settle();
  await press('Next page');
  expect([all('tbody tr').length, all('table')[0]?.getAttribute('aria-busy')]).toEqual([50, 'true']);
  of('account/browse')[1]?.answer({ items: [account('ada')] });
  await settle();
  expect([texts('tbody th bdi'), all('tbody tr').length]).toEqual([['A B', 'ada'], 1]);
  expect(all('table')[0]?.getAttribute('aria-busy')).toBe('false');
});

test('the nodes of a list are bounded by its page, however large the directory is', async () => {
  const nodesOf = async (size: number) => {
    await openPage({
      address: '#accounts',
      answers: {
        'account/browse': ({ query }) => {
          const from = Number(query['cursor'] ?? 0);
          const next = from + Number(query['limit']);
          return {
            items: Array.from({ length: Math.min(next, size) - from }, (_, n) => account(`user-${from + n}`)),
            ...(next < size && { next_cursor: `${next}` }),
          };
        },
      },
    });
    const nodes = [];
    for (const turn of ['Next page', 'Next page', 'Previous page']) {
      nodes.push(all('*').length);
      await press(turn);
    }
    return [all('tbody tr').length, ...nodes];
  };
  const few = await nodesOf(200);
  expect([few[0], await nodesOf(100_000)]).toEqual([50, few]);
});

test('a listing that fails is loaded again on demand', async () => {
  const { of } = await openPage({ address: '#teams' });
  of('team/browse')[0]?.refuse(500, 'internal_error');
  await settle();
  await press('Try again');
  of('team/browse')[1]?.answer({ items: [] });
  await settle();
  expect([all('[role=alert]').length, texts('.empty')]).toEqual([
    0,
    ['There are no teams yet. Create the first one.'],
  ]);
});

test('each of two listings of a screen turns its own pages', async () => {
  const { of } = await openPage({ address: '#owners' });
  of('account/browse')[0]?.answer({ items: [account('ada')], next_cursor: 'p2' });
  of('token/browse')[0]?.answer({ items: [] });
  await settle();
  // The page is filled by further requests.
  of('account/browse')[1]?.answer({ items: many, next_cursor: 'p3' });
  await settle();
  await press('Next page');
  expect(of('account/browse').at(-1)?.query).toEqual({
    role: 'sys_administrator',
    limit: '50',
    cursor: 'p3',
  });
  expect(of('token/browse')).toHaveLength(1);
});

test('the audit keeps its filters on later pages, with times in UTC', async () => {
  const { TZ } = process.env;
  process.env['TZ'] = 'America/Los_Angeles';
  const entry = (requestId: number, outcome = 'ok') => ({
    time: '2026-01-01T00:00:00Z',
    requestId: `${requestId}`,
    actor: 'ada',
    action: 'account.lock',
    target: 'bob',
    outcome,
    details: null,
  });
  const { of } = await openPage({
    address: '#audit?actor=ada&since=2026-03-08T02:30&until=2026-07-01T00:00',
    answers: {
      'audit/browse': ({ query }) => ({
        items: Array.from({ length: 30 }, (_, n) => entry(n + (query['cursor'] ? 30 : 0))),
        next_cursor: query['cursor'] ? 'p3' : 'p2',
      }),
    },
  });
  await press('Next page');
  process.env['TZ'] = TZ;
  const filters = {
    actor: 'ada',
    since: '2026-03-08T10:30:00.000Z',
    until: '2026-07-01T07:00:00.000Z',
    limit: '50',
    names: 'true',
  };
  expect(of('audit/browse').map(({ query }) => query)).toEqual([
    filters,
    { ...filters, cursor: 'p2' },
    { ...filters, cursor: 'p3' },
    { ...filters, cursor: 'p3' },
  ]);
});

test('a listing has the shape of its rows while it loads, and says so', async () => {
  const { of } = await openPage({ address: '#teams' });
  expect([all('.skeleton.rows[aria-busy=true]').length, texts('.skeleton')]).toEqual([1, ['Loading…']]);
  of('team/browse')[0]?.answer({ items: [] });
  await settle();
  expect(all('.skeleton')).toEqual([]);
});

test('a German listing has German pages, filters and files, with the separator of German spreadsheets first', async () => {
  const stats = { ...STATS, count: 1234 };
  await openPage({
    address: '#accounts?cursor=p1&cursor-first=1201',
    language: 'de',
    answers: { 'account/browse': () => ({ items: many, stats, next_cursor: 'p2' }) },
  });
  expect([
    texts('.foot > span'),
    texts('.foot a'),
    texts('.foot option'),
    texts('.filters > details > summary'),
    texts('.foot [type=submit]'),
  ]).toEqual([
    ['1.201 bis 1.250'],
    ['Erste Seite', 'Nächste Seite'],
    ['CSV mit Semikolon', 'CSV mit Komma', 'CSV mit Tabulator', 'Excel-Arbeitsmappe (.xlsx)'],
    ['Weitere Filter'],
    ['Herunterladen'],
  ]);
});
