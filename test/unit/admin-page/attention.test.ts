import { h } from 'preact';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, isoOf, MINUTE_MS, withoutZone } from '#lib/time';
import { AttentionCount } from '../../../infra/admin-page/screens/attention.tsx';
import { all, dialogs, openPage, perform, press, scriptFetch, settle, show, texts } from './opened.ts';

// The count is imported by itself: its requests would wait for a login.
vi.hoisted(() => {
  document.documentElement.dataset['session'] = '';
});

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ago = (milliseconds: number) => isoOf(NOW - milliseconds);
const days = (number: number) => withoutZone(NOW + number * DAY_MS);

const person = (username: string, fields: object = {}) => ({
  id: `id-${username}`,
  username,
  user_first_name: username[0]?.toUpperCase() + username.slice(1),
  user_last_name: 'Doe',
  kind: 'person',
  isactive: true,
  created_at: ago(300 * DAY_MS),
  ...fields,
});

const token = (name: string, fields: object = {}) => ({
  username: 'bob',
  userid: 'u-1',
  name,
  token_created_at: days(-200),
  token_used_at: days(-1),
  token_created_by: 'ada',
  token_expires_at: days(100),
  token_access: 'full',
  ...fields,
});

/** What the service answers; each test changes what it is about. */
let found: Record<
  'code_expired' | 'cancelled' | 'machines' | 'fallen' | 'administrators' | 'events' | 'tokens',
  object[]
>;
let passkeys: Readonly<Record<string, object[]>>;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  found = {
    code_expired: [],
    cancelled: [],
    machines: [],
    fallen: [],
    administrators: [],
    events: [],
    tokens: [],
  };
  passkeys = {};
  sessionStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

const browse = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  if (query['username']) return { items: [person(query['username'])] };
  if (query['cancelled_since']) return { items: found.cancelled };
  if (query['owner_gone']) return { items: found.machines };
  if (query['counter_fell']) return { items: found.fallen };
  if (query['role']) return { items: found.administrators };
  return { items: query['state'] ? found.code_expired : [] };
};

const ANSWERS = {
  'account/browse': browse,
  'account/passkeys/': ({ path }: { readonly path: string }) => ({
    items: passkeys[`${path.split('/').at(-1)}`] ?? [],
  }),
  'event/pending': () => ({ items: found.events }),
  'token/browse': ({ query }: { readonly query: Readonly<Record<string, string>> }) =>
    query['cursor']
      ? { items: found.tokens.slice(2) }
      : { items: found.tokens.slice(0, 2), next_cursor: 'more' },
};

const open = async (more: Parameters<typeof openPage>[0] = {}) => {
  const page = await openPage({ address: '#attention', ...more, answers: { ...ANSWERS, ...more.answers } });
  await settle();
  return page;
};

const groups = () => texts('main h2');
const rows = () => texts('.matters[aria-label] > li');

test('nothing needs attention when nothing is found, which is said', async () => {
  const { of } = await open();
  expect([texts('.empty h3'), groups()]).toEqual([['Nothing needs attention.'], []]);
  expect(of('account/browse').map(({ query: { limit: _, ...asked } }) => asked)).toEqual([
    { state: 'code_expired', kind: 'person' },
    { cancelled_since: '1970-01-01', kind: 'person' },
    { counter_fell: 'true' },
    { kind: 'machine', owner_gone: 'true' },
    { role: 'sys_administrator' },
  ]);
});

test('the page at #events is the one of what needs attention, which has no other events', async () => {
  await open({ address: '#events' });
  expect(texts('h1')).toEqual(['Needs attention']);
});

test('people come before machines, events and tokens, each with one action', async () => {
  found.administrators = [person('ada')];
  found.tokens = [token('free', { token_expires_at: null })];
  found.events = [{ id: 'e-1', created_at: ago(2 * HOUR_MS), state: 'pending' }];
  found.machines = [person('bot', { kind: 'machine', owner: 'erased:0199a1b2' })];
  found.cancelled = [person('leo', { isactive: false, erasable_from: ago(DAY_MS) })];
  found.code_expired = [person('eve', { code_expires_at: ago(3 * DAY_MS) })];
  await open();
  expect(groups().map((title) => title?.trim())).toEqual([
    'One-time codes that ended',
    'People who can be erased',
    'Machines without an owner',
    'Events that wait',
    'Tokens without an end',
  ]);
  expect(rows()[0]).toContain('Code ended 3 days ago');
  expect(texts('.matters .end')).toEqual([
    'New codeNot now',
    'EraseNot now',
    'Change ownerNot now',
    'Not now',
    'Open tokensNot now',
  ]);
  expect(all('.matters a', 'Erase').map((link) => link.getAttribute('href'))).toEqual([
    '#account?username=leo',
  ]);
});

test('what happened in the last hour is left out', async () => {
  found.code_expired = [person('eve', { code_expires_at: ago(2 * MINUTE_MS) })];
  found.cancelled = [person('leo', { isactive: false, erasable_from: ago(2 * MINUTE_MS) })];
  found.events = [{ id: 'e-1', created_at: ago(2 * MINUTE_MS), state: 'pending' }];
  found.fallen = [person('dan')];
  found.machines = [person('bot', { kind: 'machine', owner: 'leo' })];
  passkeys = {
    dan: [{ name: 'key', created_at: days(-9), used_at: days(-1), counter_fell_at: ago(MINUTE_MS) }],
  };
  await open({
    answers: {
      'account/browse': (sent) =>
        sent.query['username'] === 'leo'
          ? { items: [person('leo', { isactive: false, cancelled_at: ago(2 * MINUTE_MS) })] }
          : browse(sent),
    },
  });
  expect([texts('.empty h3'), rows()]).toEqual([['Nothing needs attention.'], []]);
});

test('people who left are read up to the first one who cannot be erased yet', async () => {
  found.cancelled = [
    person('leo', { isactive: false, erasable_from: ago(DAY_MS) }),
    person('mia', { isactive: false, erasable_from: ago(-DAY_MS) }),
  ];
  await open();
  expect(rows()).toHaveLength(1);
});

test('a new code is created in the list, and its person leaves it', async () => {
  found.code_expired = [person('eve', { code_expires_at: ago(3 * DAY_MS) })];
  const { of } = await open();
  await press('New code');
  expect(dialogs()).toEqual(['Create a new code for Eve Doe?']);
  await press('New code');
  found.code_expired = [];
  of('account/code')[0]?.answer({ code: 'ABCD', expires_at: ago(-DAY_MS) });
  await settle();
  await press('Close');
  await settle();
  expect([rows(), texts('.empty h3')]).toEqual([[], ['Nothing needs attention.']]);
});

test('many codes that ended have a link to all of these people', async () => {
  found.code_expired = Array.from({ length: 12 }, (_, n) =>
    person(`p${n}`, { code_expires_at: ago(3 * DAY_MS) }),
  );
  await open();
  expect(all('a', 'New codes for all 12').map((link) => link.getAttribute('href'))).toEqual([
    '#accounts?state=code_expired',
  ]);
  expect(rows()).toHaveLength(5);
  await press('Show 7 more');
  expect(rows()).toHaveLength(12);
});

test('“Not now” puts a matter off for 30 days, in this browser and without its name, and can be taken back', async () => {
  found.code_expired = [person('eve', { code_expires_at: ago(3 * DAY_MS) })];
  await open();
  await press('Not now: Eve Doe');
  expect([rows(), texts('.empty h3'), texts('summary')]).toEqual([
    [],
    ['Nothing needs attention.'],
    ['Put off: 1'],
  ]);
  expect(localStorage['later']).toMatch(/^\{"codes:[0-9a-z]+":\d+\}$/);
  await press('Show again: Eve Doe');
  expect([rows().length, texts('summary')]).toEqual([1, []]);
});

test.each([
  [29, 0],
  [31, 1],
])('a matter that was put off is back after 30 days, not after %i', async (later, expected) => {
  found.cancelled = [
    person('leo', { isactive: false, cancelled_at: ago(40 * DAY_MS), erasable_from: ago(33 * DAY_MS) }),
  ];
  await open();
  await press('Not now: Leo Doe');
  const stored = localStorage['later'];
  vi.setSystemTime(NOW + later * DAY_MS);
  localStorage['later'] = stored;
  await open();
  expect(rows()).toHaveLength(expected);
});

test('events that wait are one line with their number, the oldest, and what to do', async () => {
  found.events = [
    { id: 'e-1', created_at: ago(26 * HOUR_MS), state: 'set-aside' },
    { id: 'e-2', created_at: ago(2 * HOUR_MS), state: 'pending' },
  ];
  await open();
  const [line = ''] = rows();
  expect(line).toMatch(/^2 events wait, the oldest since /);
  expect(line).toContain('One of them is not retried any more.');
  expect(texts('.matters code')).toEqual(['events publish']);
});

test('administrators without a passkey are listed where they can have one, and the passkeys that nobody uses', async () => {
  const used = { name: 'phone', created_at: days(-300), used_at: days(-1), counter_fell_at: null };
  const idle = { ...used, name: 'key', used_at: days(-120) };
  found.administrators = [person('ada'), person('bea'), person('cora', { isactive: false })];
  passkeys = { bea: [used, idle] };
  const { of } = await open();
  expect(rows()).toEqual([expect.stringContaining('key: last used 4 months ago')]);
  expect(of('account/passkeys').map(({ path }) => path)).toEqual([
    'account/passkeys/ada',
    'account/passkeys/bea',
  ]);
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('navigator', { ...navigator, credentials: {} });
  await press('Teams');
  await press('Attention');
  await settle();
  expect(rows()[0]).toContain('Logs in with a password only');
});

test('a refused passkey is listed with the time, and leads to the access of its person', async () => {
  const fallen = { name: 'key', created_at: days(-9), used_at: days(-1), counter_fell_at: ago(DAY_MS) };
  found.fallen = [person('dan')];
  passkeys = { dan: [fallen, { ...fallen, name: 'phone', counter_fell_at: null }] };
  await open();
  expect(rows()).toEqual([expect.stringContaining('key: Refused since ')]);
  expect(all('.matters a', 'Open access').map((link) => link.getAttribute('href'))).toEqual([
    '#account?username=dan&part=access',
  ]);
});

describe('a token', () => {
  beforeEach(() => {
    found.administrators = [person('ada')];
    found.tokens = [
      token('good'),
      token('old', { token_used_at: days(-100), token_created_by: 'carl', token_expires_at: null }),
      token('free', { token_expires_at: null }),
    ];
  });

  test('appears once, by its most urgent reason, with all of them, from one pass through all tokens', async () => {
    const { of } = await open();
    expect(groups().map((title) => title?.trim())).toEqual([
      'Tokens made by former administrators',
      'Tokens without an end',
    ]);
    expect(rows()[0]).toContain('made by Carl Doe, last used 3 months ago, no end');
    expect(of('token/browse').map(({ query }) => query['cursor'])).toEqual([undefined, 'more']);
  });

  test('is read again when one is changed', async () => {
    found.tokens = [token('old', { token_used_at: days(-100) })];
    const { of } = await open({ answers: { 'token/delete': () => ({}) } });
    found.tokens = [];
    await perform('Delete');
    await settle();
    expect(of('token/delete').map(({ path }) => path)).toEqual(['token/delete/old/bob']);
    expect([rows(), of('token/browse').length]).toEqual([[], 4]);
  });
});

test('a part that fails leaves the others, and is loaded again', async () => {
  found.code_expired = [person('eve', { code_expires_at: ago(3 * DAY_MS) })];
  const { of } = await open({
    answers: { 'event/pending': ({ refuse }) => refuse(500, 'internal') as undefined },
  });
  await vi.waitFor(() => expect(texts('main [role=alert]')).toHaveLength(1), { timeout: 15_000 });
  expect([rows().length, texts('.empty')]).toEqual([1, []]);
  const before = of('event/pending').length;
  await press('Try again');
  expect(of('event/pending').length).toBeGreaterThan(before);
}, 20_000);

test('the screen remembers for the count how many tokens it has found in this tab', async () => {
  found.administrators = [person('ada')];
  found.tokens = [token('free', { token_expires_at: null })];
  await open();
  expect(sessionStorage['attention']).toBe('1');
});

test('the count adds people, machines and events from a few requests to what the tab remembers, and reads no token', async () => {
  found.code_expired = [person('eve', { code_expires_at: ago(3 * DAY_MS) })];
  found.events = [{ id: 'e-1', created_at: ago(2 * HOUR_MS), state: 'pending' }];
  sessionStorage['attention'] = '4';
  const sent = scriptFetch(ANSWERS);
  show(h(AttentionCount, {}));
  await settle();
  expect(texts('.count > .hidden')).toEqual([', 6 items']);
  expect(sent.map(({ path }) => path)).toEqual([
    ...Array.from({ length: 4 }, () => 'account/browse'),
    'event/pending',
  ]);
});

test('the navigation has the number of matters a while after the first screen', async () => {
  found.code_expired = [person('eve', { code_expires_at: ago(3 * DAY_MS) })];
  const { of } = await openPage({ answers: ANSWERS });
  expect(of('event/pending')).toEqual([]);
  await vi.waitFor(() => expect(texts('header .count')).toEqual(['1, 1 item']), { timeout: 10_000 });
}, 15_000);

test('the German screen has no English', async () => {
  found.code_expired = [person('eve', { code_expires_at: ago(3 * DAY_MS) })];
  await open({ language: 'de' });
  expect([texts('h1'), groups(), texts('.matters .end')]).toEqual([
    ['Zu tun'],
    ['Abgelaufene Einmalcodes '],
    ['Neuer CodeNicht jetzt'],
  ]);
});
