// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { all, dialogs, field, fill, openPage, perform, press, settle, texts } from './opened.ts';

const { TZ } = process.env;

afterEach(() => {
  process.env['TZ'] = TZ;
  vi.useRealTimers();
});

const ACCOUNT = {
  id: 'u-1',
  username: 'bob',
  user_first_name: 'Bob',
  user_last_name: 'B',
  isactive: true,
  islocked: false,
  created_at: '2026-01-01T00:00:00Z',
  lastActivity: '2026-01-02T00:00:00',
};

const USER = {
  username: 'bob',
  user_first_name: 'Bob',
  user_last_name: 'B',
  phonenumber: null,
  user_properties: { root: { theme: 'dark' } },
  team_id: 't-1',
  user_app_name: 'core',
};

const TEAMS = [
  { team_id: 't-1', team_short: 'ops' },
  { team_id: 't-2', team_short: 'hr' },
];

const ENTRY = {
  time: '2026-01-01T00:00:00Z',
  action: 'account.lock',
  actor: 'ada',
  target: 'bob',
  outcome: 'ok',
  details: null,
};

/** Opens an account, whose state a test may change before it is loaded again. */
async function openAccount(account: object = {}, user: object = {}) {
  const state = {
    account: { ...ACCOUNT, ...account },
    user: { ...USER, ...user },
    etag: '"1"',
    entries: [] as object[],
  };
  const page = await openPage({
    address: '#account?username=bob',
    answers: {
      'account/browse': () => ({ items: [state.account] }),
      'account/profile/bob': ({ answer }) => {
        const profile = { user: state.user, roles: ['clerk', 'editor'], apps: ['core'], teams: TEAMS };
        answer(profile, 'Done', { etag: state.etag });
        return undefined;
      },
      'account/sessions': () => ({ items: [{ id: 's-1', address: '192.0.2.1' }] }),
      'token/': ({ method }) => (method === 'GET' ? { items: [] } : undefined),
      'audit/browse': () => ({ items: state.entries }),
    },
  });
  await settle();
  return { ...page, state };
}

test.each([
  ['active', {}, ['Lock', 'Create one-time code', 'Cancel account']],
  ['locked', { islocked: true }, ['Lock', 'Unlock', 'Create one-time code', 'Cancel account']],
  ['cancelled', { isactive: false }, ['Lock', 'Reactivate']],
  ['locked and cancelled', { isactive: false, islocked: true }, ['Lock', 'Unlock', 'Reactivate']],
])('the actions on an account that is %s are those that are due', async (_state, account, due) => {
  await openAccount(account);
  expect(texts('section:first-of-type > .row button')).toEqual(due);
});

test.each([
  ['America/Los_Angeles', '2026-11-01T12:00', '2026-11-01T20:00:00.000Z'],
  ['Asia/Tokyo', '2026-11-01T08:00', '2026-10-31T23:00:00.000Z'],
])('in %s, a lock until %s ends at %s', async (zone, until, time) => {
  process.env['TZ'] = zone;
  const { of } = await openAccount();
  await perform('Lock', { Reason: 'Left', Until: until });
  expect(of('account/lock').map(({ path, body }) => [path, body])).toEqual([
    ['account/lock/bob', { reason: 'Left', until: time }],
  ]);
});

test('a lock without a reason and an end sends neither', async () => {
  const { of } = await openAccount();
  await perform('Lock', { Reason: '', Until: '' });
  expect(of('account/lock')[0]?.body).toEqual({});
});

test('an account is loaded again after an action, and then offers what is due', async () => {
  const { of, state } = await openAccount();
  await perform('Lock');
  state.account = { ...ACCOUNT, islocked: true };
  of('account/lock')[0]?.answer({ changed: true });
  await settle();
  expect(of('account/browse')).toHaveLength(2);
  expect(all('section button', 'Unlock')).toHaveLength(1);
});

test('a cancellation requires the username as a text, not as a pattern', async () => {
  const { of } = await openAccount({ username: 'b.b' });
  await perform('Cancel account', { 'Type b.b to confirm': 'bxb' });
  expect(of('account/cancel')).toEqual([]);
  await fill({ 'Type b.b to confirm': 'b.b' });
  await press('Cancel account');
  expect(of('account/cancel').map(({ path }) => path)).toEqual(['account/cancel/b.b']);
});

test.each([
  ['revoke', true],
  ['keep', false],
])('a reactivation requires a choice for the tokens, such as %s', async (choice, revokes) => {
  const { of } = await openAccount({ isactive: false });
  await perform('Reactivate', { 'Its API tokens': '' });
  expect(of('account/reactivate')).toEqual([]);
  await fill({ 'Its API tokens': choice });
  await press('Reactivate');
  expect(of('account/reactivate')[0]?.body).toEqual({ revoke_tokens: revokes });
});

test('a one-time code is created for the hours as a number, and shown once', async () => {
  const { of } = await openAccount();
  await perform('Create one-time code', { 'Hours until the code ends': '2' });
  expect(of('account/code')[0]?.body).toEqual({ hours: 2 });
  of('account/code')[0]?.answer({ code: 'ABCD' });
  await settle();
  expect([dialogs(), field('One-time code').value]).toEqual([['Create one-time code: bob'], 'ABCD']);
  await press('Close');
  expect(document.body.innerHTML).not.toContain('ABCD');
});

const edit = async (values: Record<string, string>) => {
  await press('Edit profile');
  await fill({ 'Default team': 't-1', ...values });
  await press('Edit profile');
};

test.each<[string, Record<string, string>, object]>([
  ['a changed field only', { 'First name': 'Bo' }, { user_first_name: 'Bo' }],
  ['an emptied field', { 'Last name': '' }, { user_last_name: '' }],
  ['a field that was empty', { Phone: '+1' }, { phonenumber: '+1' }],
  ['nothing', {}, {}],
  ['another team', { 'Default team': 't-2' }, { team_id: 't-2' }],
  [
    'properties as JSON',
    { 'Custom properties': '{"root":{"n":1}}' },
    { user_properties: { root: { n: 1 } } },
  ],
  ['emptied properties', { 'Custom properties': '' }, { user_properties: {} }],
])('an update of a profile sends %s, with the version that was read', async (_what, values, body) => {
  const { of } = await openAccount();
  await edit(values);
  const [update] = of('account/profile-update');
  expect(update?.body).toEqual({ username: 'bob', ...body });
  expect(update?.headers.get('if-match')).toBe('"1"');
});

test('an update of a profile is not sent when the properties are not JSON', async () => {
  const { of } = await openAccount();
  await edit({ 'Custom properties': '{' });
  expect([of('account/profile-update'), all('dialog [role=alert]').length]).toEqual([[], 1]);
});

test('a refused update reads the newest profile, keeps what was typed, and is sent again with that version', async () => {
  const { of, state } = await openAccount();
  await edit({ 'Last name': 'Typed' });
  Object.assign(state, { user: { ...USER, user_first_name: 'Saved' }, etag: '"2"' });
  of('account/profile-update')[0]?.refuse(412, 'precondition_failed');
  await settle();
  expect(field('Last name').value).toBe('Typed');
  expect(texts('dialog small').join()).toContain('Another person saved “Saved”');
  await fill({ 'First name': 'Saved' });
  await press('Edit profile');
  const second = of('account/profile-update')[1];
  expect([second?.body, second?.headers.get('if-match')]).toEqual([
    { username: 'bob', user_last_name: 'Typed' },
    '"2"',
  ]);
});

test('a change of the access sends what is added and what is removed', async () => {
  const { of } = await openAccount();
  await press('Change access');
  await fill({ Roles: ' clerk  cashier ', 'Teams (short names)': 'ops', Applications: 'core till' });
  expect(texts('dialog small').map((text) => text.trim())).toEqual([
    'Adds: cashierRemoves: editor',
    'Removes: hr',
    'Adds: till',
  ]);
  await press('Change access');
  expect(of('account/access')[0]?.body).toEqual({
    add: { roles: ['cashier'], teams: [], apps: ['till'] },
    remove: { roles: ['editor'], teams: ['hr'], apps: [] },
  });
});

const TOKEN = {
  Name: 'ci',
  Description: '',
  'Days until it ends': '',
  Access: 'full',
  Roles: '',
  Addresses: '',
};

test.each<[string, Record<string, string>, object]>([
  ['without its empty terms', {}, { access: 'full' }],
  [
    'with numbers and lists',
    {
      Description: 'd',
      'Days until it ends': '30',
      Access: 'read',
      Roles: 'a  b',
      Addresses: '192.0.2.0/24',
    },
    { access: 'read', description: 'd', expires_in_days: 30, roles: ['a', 'b'], addresses: ['192.0.2.0/24'] },
  ],
])('a token is created %s', async (_what, values, terms) => {
  const { of } = await openAccount();
  await perform('Create token', { ...TOKEN, ...values });
  const [create] = of('token/').filter(({ method }) => method === 'POST');
  expect([create?.path, create?.body]).toEqual(['token/create/ci/bob', terms]);
});

test('a session is ended by its ID', async () => {
  const { of } = await openAccount();
  await perform('End session');
  const [end] = of('account/').filter(({ method }) => method !== 'GET');
  expect(end?.path).toBe('account/sessions/end/s-1/bob');
});

test('the history is read again until it has the entry of the action', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { of, state } = await openAccount();
  await perform('Lock');
  of('account/lock')[0]?.answer({ changed: true }, 'Locked', { 'x-request-id': 'r-1' });
  await settle();
  const wait = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    await settle();
  };
  await wait(0.5);
  expect(document.body.textContent).toContain('Locked: this appears here within a minute.');
  const before = of('audit/browse').length;
  await wait(1);
  expect(of('audit/browse')).toHaveLength(before + 1);
  state.entries = [{ ...ENTRY, requestId: 'r-1' }];
  await wait(2);
  expect(document.body.textContent).not.toContain('this appears here');
  const found = of('audit/browse').length;
  await wait(120);
  expect(of('audit/browse')).toHaveLength(found);
});

test('the start of a command is listed only without its end, on each page', async () => {
  const { state } = await openAccount();
  state.entries = [
    { ...ENTRY, requestId: 'r-1', outcome: 'ok' },
    { ...ENTRY, requestId: 'r-1', outcome: 'started' },
    { ...ENTRY, requestId: 'r-2', outcome: 'started' },
  ];
  await press('Teams');
  history.pushState(null, '', '#account?username=bob');
  dispatchEvent(new Event('hashchange'));
  await settle();
  expect(texts('.entry > span').map((text) => text?.includes('began to'))).toEqual([false, true]);
});

test('an account shows its open one-time code with its author, and nothing without one', async () => {
  const facts = () => texts('section:first-of-type dt');
  await openAccount({}, { code_created_at: null, code_created_by: null, code_expires_at: null });
  expect(facts()).not.toContain('One-time code');
  const open = { code_created_by: 'mallory', code_created_at: '2026-01-01T00:00:00Z' };
  await openAccount({}, { ...open, code_expires_at: '2026-01-02T00:00:00Z' });
  expect(texts('section:first-of-type dd')[facts().indexOf('One-time code')]).toMatch(
    /^created .* ago by mallory, ends .* ago$/,
  );
});
