import { afterEach, expect, test, vi } from 'vitest';
import type { Language } from '../../../lib/admin-page/languages.ts';
import { all, dialogs, field, fill, openPage, perform, pick, press, settle, texts } from './opened.ts';

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

const ADA = { username: 'ada', user_first_name: 'Ada', user_last_name: 'L' };

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

type Entry = Readonly<Record<string, unknown>>;

/** Opens an account, whose state a test may change before it is loaded again. */
async function openAccount(
  account: object = {},
  user: object = {},
  part = '',
  entries: Entry[] = [],
  language: Language = 'en',
) {
  const state = {
    account: { ...ACCOUNT, ...account },
    user: { ...USER, ...user },
    etag: '"1"',
    entries,
  };
  const page = await openPage({
    address: `#account?username=bob&part=${part}`,
    language,
    answers: {
      'account/browse': ({ query }) => ({ items: query['username'] === 'bob' ? [state.account] : [ADA] }),
      'account/profile/bob': ({ answer }) => {
        const profile = { user: state.user, roles: ['clerk', 'editor'], apps: ['core'], teams: TEAMS };
        answer(profile, 'Done', { etag: state.etag });
        return undefined;
      },
      'account/sessions': () => ({ items: [{ id: 's-1', address: '192.0.2.1' }] }),
      'token/': ({ method }) => (method === 'GET' ? { items: [] } : undefined),
      'audit/browse': ({ query }) => ({
        items: state.entries.filter((entry) => !query['action'] || query['action'] === entry.action),
      }),
    },
  });
  await settle();
  return { ...page, state };
}

test.each([
  ['access', 'account/passkeys'],
  ['tokens', 'token/user'],
  ['sessions', 'account/sessions'],
  ['history', 'audit/browse'],
])('the part %s is read again after an act elsewhere on the screen', async (part, path) => {
  const { of } = await openAccount({}, {}, part);
  const before = of(path).length;
  expect(before, path).toBeGreaterThan(0);
  await press('Lock');
  await press('Lock');
  of('account/lock/bob')[0]?.answer({ ...ACCOUNT, islocked: true, changed: true });
  await settle();
  expect(of(path).length, path).toBeGreaterThan(before);
});

test('an account that does not exist offers a search for its username', async () => {
  const { of } = await openPage({ address: '#account?username=bo' });
  of('account/browse')[0]?.answer({ items: [] });
  of('account/profile/bo')[0]?.refuse(404, 'account_not_found');
  await settle();
  expect(all('main a').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Search people', '#accounts?q=bo'],
  ]);
});

test.each([
  ['active', {}, ['Create one-time code', 'Lock'], ['Turn into a machine', 'Cancel account']],
  [
    'locked',
    { islocked: true },
    ['Unlock', 'Create one-time code', 'Change lock'],
    ['Turn into a machine', 'Cancel account'],
  ],
  ['cancelled', { isactive: false }, ['Reactivate', 'Lock'], ['Erase for good']],
  [
    'locked and cancelled',
    { isactive: false, islocked: true },
    ['Unlock', 'Reactivate', 'Change lock'],
    ['Erase for good'],
  ],
  ['the own one', { username: 'ada' }, ['Create one-time code'], []],
])(
  'the actions on an account that is %s are those that are due, the one without undo apart',
  async (_state, account, due, dangerous) => {
    await openAccount(account);
    expect(texts('.heading > .row > .row button')).toEqual(due);
    if (dangerous.length > 0) await press('More actions');
    expect(texts('.heading [role=menuitem]')).toEqual(dangerous);
  },
);

const MONDAY = '2026-03-02T07:00:00+00:00';

test.each<[string, string, object, object?]>([
  ['Active Can log in.', 'is active', {}],
  [
    'Never used Can log in, and has never done so.',
    'was never used',
    { lastActivity: '2026-01-01T00:00:00' },
  ],
  [
    'Invited Can set a password with the one-time code until Monday 08:00. Is the code lost? A new one replaces it.',
    'is invited',
    { password_set: false, code_expires_at: MONDAY },
  ],
  [
    'Code expired Cannot log in: there is no password, and the one-time code ended on 25 February 2026 08:00.',
    'has a code that has ended',
    { password_set: false, code_expires_at: '2026-02-25T07:00:00Z' },
  ],
  [
    'Active Has no password yet: a one-time code sets one.',
    'has no password and no code',
    { password_set: false, code_expires_at: null },
  ],
  [
    'Cannot log in since 11:55: too many failed attempts from one address, until 12:10. Wait until then, or create a one-time code: it works all the same.',
    'is locked out at an address',
    {},
    { cause: 'attempts_from_address', since: '2026-02-27T10:55:00Z', until: '2026-02-27T11:10:00Z' },
  ],
  [
    'Cannot log in since 11:55: too many failed attempts, until 12:10. Wait until then, or create a one-time code: it works all the same.',
    'is locked out by failed logins, which the service also calls locked',
    { islocked: true, lockoutending: '2026-02-27T11:10:00+00:00' },
    { cause: 'attempts', since: '2026-02-27T10:55:00Z', until: '2026-02-27T11:10:00Z' },
  ],
  [
    'Locked until Monday 08:00: on leave',
    'is locked for days',
    { islocked: true, lockoutending: MONDAY, lock_reason: 'on leave' },
  ],
  [
    'Locked until tomorrow 08:00',
    'is locked for a day',
    { islocked: true, lockoutending: '2026-02-28T07:00:00+00:00' },
  ],
  [
    'Locked until today 18:30',
    'is locked for hours',
    { islocked: true, lockoutending: '2026-02-27T17:30:00+00:00' },
  ],
  [
    'Locked until 6 March 2026 08:00',
    'is locked for a week',
    { islocked: true, lockoutending: '2026-03-06T07:00:00+00:00' },
  ],
  [
    'Locked until someone unlocks it: left',
    'is locked without an end',
    { islocked: true, lockoutending: '9999-12-31T23:59:59+00:00', lock_reason: 'left' },
  ],
  [
    'Cancelled 1 hour ago by Ada L',
    'is cancelled',
    { isactive: false, cancelled_at: '2026-02-27T10:00:00Z', cancelled_by: 'ada' },
  ],
  ['Active Can sign in.', 'is of a machine', { kind: 'machine', owner: 'ada' }],
])('the line below the name is “%s” when an account %s', async (sentence, _when, account, login_block) => {
  process.env['TZ'] = 'Europe/Berlin';
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-02-27T11:00:00Z') });
  await openAccount(account, { login_block: login_block ?? null });
  expect(texts('.standing > :not(button)').join().trim()).toBe(sentence);
});

test.each([
  ['account.lock', 'ada', 'Locked by Ada L since 09:00 until someone unlocks it'],
  ['admin account lock', 'operator:support', 'Locked by an operator since 09:00 until someone unlocks it'],
  ['account.lock', 'erased:u-9', 'Locked by an erased person since 09:00 until someone unlocks it'],
])('a lock by %s of %s says who has locked the account', async (action, actor, sentence) => {
  process.env['TZ'] = 'UTC';
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-02-27T11:00:00Z') });
  const lock = { islocked: true, lockoutending: '9999-12-31T23:59:59+00:00' };
  await openAccount(lock, {}, '', [
    { ...ENTRY, action, actor: 'mallory', outcome: 'forbidden', time: '2026-02-27T10:00:00Z' },
    { ...ENTRY, action, actor, time: '2026-02-27T09:00:00Z' },
    { ...ENTRY, action, actor: 'earlier', time: '2026-02-26T09:00:00Z' },
  ]);
  expect(texts('.standing > div')).toEqual([sentence]);
});

test('a lockout and an invitation are helped by a new one-time code', async () => {
  const { of } = await openAccount({ password_set: false, code_expires_at: '2020-01-01T00:00:00Z' });
  await press('New code');
  expect(dialogs()).toEqual(['Create a one-time code for Bob B? bob']);
  await press('New code');
  expect(of('account/code/bob')).toHaveLength(1);
});

test('an account is headed by its real name, then its username, and by its username without one', async () => {
  const heading = () => texts('.heading :is(h1, p)');
  await openAccount();
  expect([heading(), document.title]).toEqual([['Bob B', 'bob'], 'Bob B – localhost:3000']);
  await openAccount({ user_first_name: null, user_last_name: null });
  expect(heading()).toEqual(['bob', 'bob']);
});

test.each([
  ['America/Los_Angeles', '2026-11-01T12:00', '2026-11-01T20:00:00.000Z'],
  ['Asia/Tokyo', '2026-11-01T08:00', '2026-10-31T23:00:00.000Z'],
])('in %s, a lock until %s ends at %s', async (zone, until, time) => {
  process.env['TZ'] = zone;
  const { of } = await openAccount();
  await press('Lock');
  await fill({ Reason: 'Left', Until: 'other' });
  await fill({ 'Date and time': until });
  await press('Lock');
  expect(of('account/lock').map(({ path, body }) => [path, body])).toEqual([
    ['account/lock/bob', { reason: 'Left', until: time }],
  ]);
});

test.each([
  ['active', false, ['Lock', 'Bob B is locked:'], ['Unlock', 'Bob B is unlocked and can log in again']],
  ['locked', true, ['Change lock', 'Bob B is locked:'], ['Undo', 'The earlier lock of Bob B is back']],
])(
  'the answers to a lock of an account that is %s, and to its undo, name the person',
  async (_state, islocked, ...acts) => {
    const lockoutending = islocked ? '9999-12-31T23:59:59+00:00' : null;
    const { of } = await openAccount({ islocked, lockoutending });
    const [[lock, locked], [undo, undone]] = acts;
    await perform(`${lock}`, { Reason: '', Until: '' });
    of('account/lock').at(-1)?.answer({ changed: true });
    await settle();
    expect(texts('.notice > span').join()).toContain(locked);
    await press(`${undo}`);
    for (const sent of of('account/')
      .filter(({ method }) => method === 'POST')
      .slice(1))
      sent.answer({});
    await settle();
    expect(texts('.notice > span').join()).toContain(undone);
  },
);

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
  expect(all('.heading button', 'Unlock')).toHaveLength(1);
});

test('a cancellation requires the username as a text, not as a pattern', async () => {
  const { of } = await openAccount({ username: 'b.b' });
  await press('More actions');
  await perform('Cancel account', { 'Type b.b to confirm': 'bxb' });
  expect(of('account/cancel')).toEqual([]);
  // Phones add a space after a name.
  await fill({ 'Type b.b to confirm': '\u200eb.b ' });
  await press('Cancel account');
  expect(of('account/cancel').map(({ path }) => path)).toEqual(['account/cancel/b.b']);
});

test('the answer to an unlock of a cancelled account says that it is still cancelled', async () => {
  const { of } = await openAccount({ islocked: true, isactive: false });
  await perform('Unlock');
  of('account/unlock')[0]?.answer({ changed: true });
  await settle();
  expect(texts('.notice > span')).toEqual(['Bob B is unlocked, and still cancelled.']);
});

test('the dialogs of a lock and of a cancellation say that a one-time code ends', async () => {
  await openAccount();
  await press('Lock');
  expect(texts('dialog p').join()).toContain('an open one-time code end');
  await press('Back');
  await press('More actions');
  await press('Cancel account');
  expect(texts('dialog p').join()).toContain('an open one-time code end');
});

test.each([
  ['Unlock', { islocked: true }, {}],
  ['Reactivate', { isactive: false }, { 'API tokens': 'keep' }],
])('the answer to %s claims no password, and names the one-time code', async (action, account, fields) => {
  const { of } = await openAccount(account);
  await perform(action, fields);
  of(`account/${action.toLowerCase()}`)[0]?.answer({ changed: true });
  await settle();
  const told = texts('.notice > span').join();
  expect(told).toMatch(/^(bob|Bob B) .*can log in again.* Without a password, create a one-time code\.$/);
  expect(told).not.toContain('password works');
});

test.each([
  ['revoke', true],
  ['keep', false],
])('a reactivation requires a choice for the tokens, such as %s', async (choice, revokes) => {
  const { of } = await openAccount({ isactive: false });
  await perform('Reactivate', { 'API tokens': '' });
  expect(of('account/reactivate')).toEqual([]);
  await fill({ 'API tokens': choice });
  await press('Reactivate');
  expect(of('account/reactivate')[0]?.body).toEqual({ revoke_tokens: revokes });
});

test.each([
  ['keep', {}],
  ['end', { end_passkeys: true }],
])('a code and a reactivation %s the passkeys of the account', async (choice, body) => {
  const { of } = await openAccount();
  await perform('Create one-time code', { 'The code ends after': '8', 'Passkeys of the person': choice });
  expect(of('account/code')[0]?.body).toEqual({ hours: 8, ...body });
  const { of: ofCancelled } = await openAccount({ isactive: false });
  await perform('Reactivate', { 'API tokens': 'keep', 'Passkeys of the person': choice });
  expect(ofCancelled('account/reactivate')[0]?.body).toEqual({ revoke_tokens: false, ...body });
});

test('a one-time code is created for the hours as a number, and shown once', async () => {
  const { of } = await openAccount();
  await perform('Create one-time code', { 'The code ends after': '8' });
  expect(of('account/code')[0]?.body).toEqual({ hours: 8 });
  of('account/code')[0]?.answer({ code: 'ABCD', expires_at: '2026-03-02T07:00:00Z' });
  await settle();
  expect([dialogs(), field('One-time code').value]).toEqual([['One-time code for Bob B'], 'ABCD']);
  expect(texts('dialog li a')).toEqual([`${location.origin}/api/core/admin#code?username=bob`]);
  await press('Close');
  expect(document.body.innerHTML).not.toContain('ABCD');
});

/** Edits a field in its place. */
async function edit(label: string, value: string) {
  await press(`Edit ${label}`);
  await fill({ [label]: value });
  await press('Save');
}

test.each<[string, string, string, object]>([
  ['a changed field', 'First name', 'Bo', { user_first_name: 'Bo' }],
  ['an emptied field', 'Last name', '', { user_last_name: '' }],
  ['a field that was empty', 'Phone', '+1', { phonenumber: '+1' }],
  ['nothing of an unchanged field', 'Phone', '', {}],
  ['another team', 'Default team', 't-2', { team_id: 't-2' }],
  ['properties as JSON', 'Custom properties', '{"root":{"n":1}}', { user_properties: { root: { n: 1 } } }],
  ['emptied properties', 'Custom properties', '', { user_properties: {} }],
])('an edit in place sends %s only, with the version that was read', async (_what, label, value, body) => {
  const { of } = await openAccount();
  await edit(label, value);
  const [update] = of('account/profile-update');
  expect(update?.body).toEqual({ username: 'bob', ...body });
  expect(update?.headers.get('if-match')).toBe('"1"');
  update?.answer({});
  await settle();
  expect([texts('.notice span:last-of-type'), document.activeElement?.getAttribute('aria-label')]).toEqual([
    [`${label} of Bob B saved.`],
    `Edit ${label}`,
  ]);
});

test.each<[string, number, Readonly<Record<string, string>>]>([
  ['a Friday', 27, { 'tomorrow 08:00': '2026-11-28T08:00', 'Monday 08:00': '2026-11-30T08:00' }],
  ['a Sunday', 29, { 'tomorrow 08:00': '2026-11-30T08:00' }],
  ['a Monday', 30, { 'tomorrow 08:00': '2026-12-01T08:00', 'next Monday 08:00': '2026-12-07T08:00' }],
])('on %s, the end of a lock can be chosen', async (_day, date, choices) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, date, 12) });
  const { of } = await openAccount();
  await press('Lock');
  const options = all('dialog [name=end] option').map((option) => [
    option.textContent,
    (option as HTMLOptionElement).value,
  ]);
  expect(options).toEqual([
    ['an administrator unlocks it', ''],
    ...Object.entries(choices),
    ['another time', 'other'],
  ]);
  const last = `${Object.values(choices).at(-1)}`;
  await fill({ Until: last });
  const until = new Date(last).toISOString();
  await press('Lock');
  expect(of('account/lock')[0]?.body).toEqual({ until });
});

const pencil = (label: string) => all(`[aria-label="Edit ${label}"]`)[0] as HTMLElement;

test('the field of an edit in place has the focus with its content selected, and Escape returns it', async () => {
  const { of } = await openAccount();
  pencil('First name').focus();
  await press('Edit First name');
  const input = field('First name');
  expect(document.activeElement).toBe(input);
  expect(input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0)).toBe('Bob');
  await fill({ 'First name': 'Bo' });
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  await settle();
  expect([document.activeElement, of('account/profile-update')]).toEqual([pencil('First name'), []]);
  expect(texts('section dd')[0]).toBe('Bob');
});

test('an answer to an edit in place leaves the focus in another field', async () => {
  const { of } = await openAccount();
  await edit('First name', 'Bo');
  await press('Edit Last name');
  of('account/profile-update')[0]?.answer({});
  await settle();
  expect(document.activeElement).toBe(field('Last name'));
});

test('after an unlock the heading has the focus: the button of the action is gone', async () => {
  const { of, state } = await openAccount({ islocked: true });
  all('main button', 'Unlock')[0]?.focus();
  await press('Unlock');
  state.account = { ...state.account, islocked: false };
  await press('Unlock');
  of('account/unlock')[0]?.answer({});
  await settle();
  expect([all('main button', 'Unlock'), document.activeElement]).toEqual([[], all('h1')[0]]);
});

test.each([
  ['explains from when on', '2999-01-01T00:00:00Z', ['It can be erased from']],
  ['says nothing of a time that has passed', '2020-01-01T00:00:00Z', []],
])('the dialog of an erasure %s it is possible', async (_, erasable_from, expected) => {
  await openAccount({ isactive: false, erasable_from });
  await press('More actions');
  await press('Erase for good');
  const found = texts('dialog p').filter((text) => text.startsWith('It can be erased'));
  expect(found.map((text) => text.slice(0, 21))).toEqual(expected);
});

test('the dialog of an erasure and the details of the account show its ID', async () => {
  await openAccount({ isactive: false });
  expect(texts('details .id')).toEqual(['u-1']);
  await press('More actions');
  await press('Erase for good');
  expect([dialogs(), texts('dialog .id')]).toEqual([['Erase Bob B for good? bob'], ['u-1']]);
});

test('an edit in place sets the default application', async () => {
  const { of } = await openAccount();
  await edit('Default application', 'core');
  expect(of('account/context').map(({ path }) => path)).toEqual(['account/context/core/bob']);
});

test('a default team is shown by its name', async () => {
  await openAccount();
  expect(texts('section dd').at(4)).toBe('ops');
});

test('an edit in place is not sent when the properties are not JSON', async () => {
  const { of } = await openAccount();
  await edit('Custom properties', '{');
  expect([of('account/profile-update'), all('form [role=alert]').length]).toEqual([[], 1]);
});

test('a refused edit reads the newest profile, keeps what was typed, and is sent again with that version', async () => {
  const { of, state } = await openAccount();
  await edit('Last name', 'Typed');
  Object.assign(state, { user: { ...USER, user_last_name: 'Saved' }, etag: '"2"' });
  of('account/profile-update')[0]?.refuse(412, 'precondition_failed');
  await settle();
  expect(field('Last name').value).toBe('Typed');
  expect(texts('form small').join()).toContain('Another person saved “Saved”');
  await press('Save');
  const second = of('account/profile-update')[1];
  expect([second?.body, second?.headers.get('if-match')]).toEqual([
    { username: 'bob', user_last_name: 'Typed' },
    '"2"',
  ]);
});

test('a change of the access sends what is added and what is removed, and its undo the reverse', async () => {
  const { of } = await openAccount({}, {}, 'access');
  await press('Change access');
  await pick({ Roles: 'cashier', Applications: 'till' });
  await press('Remove editor');
  await press('Remove hr');
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
  of('account/access')[0]?.answer({});
  await settle();
  expect(texts('.notice span:last-of-type')).toEqual([
    'Access of Bob B changed: added cashier, till; removed editor, hr.',
  ]);
  await press('Undo');
  expect(of('account/access')[1]?.body).toEqual({
    add: { roles: ['editor'], teams: ['hr'], apps: [] },
    remove: { roles: ['cashier'], teams: [], apps: ['till'] },
  });
});

test('a change of the access that changes nothing is not sent, and says what to do', async () => {
  const { of } = await openAccount({}, {}, 'access');
  await press('Change access');
  await press('Change access');
  expect([of('account/access'), texts('dialog [role=alert]')]).toEqual([
    [],
    ['Nothing is changed yet. Add or remove a role, a team or an application, or go back.'],
  ]);
  await press('Remove editor');
  await press('Remove hr');
  await press('Change access');
  of('account/access')[0]?.answer({});
  await settle();
  expect(texts('.notice span:last-of-type')).toEqual(['Access of Bob B changed: removed editor, hr.']);
});

const TOKEN = {
  Name: 'ci',
  Description: '',
  Ends: '',
  Access: 'full',
  Addresses: '',
};

test.each<[string, Record<string, string>, string[], object]>([
  ['without its empty terms', {}, [], {}],
  [
    'with numbers and lists',
    {
      Description: 'd',
      Ends: '30',
      Access: 'read',
      Addresses: 'some',
      'These addresses': '192.0.2.0/24',
      Roles: 'some',
    },
    ['editor', 'clerk'],
    {
      access: 'read',
      description: 'd',
      expires_in_days: 30,
      roles: ['editor', 'clerk'],
      addresses: ['192.0.2.0/24'],
    },
  ],
])('a token is created %s', async (_what, values, roles, terms) => {
  const { of } = await openAccount({}, {}, 'tokens');
  await press('Create token');
  for (const [label, value] of Object.entries({ ...TOKEN, ...values })) await fill({ [label]: value });
  for (const role of roles) await pick({ 'These roles': role });
  await press('Create token');
  const [create] = of('token/').filter(({ method }) => method === 'POST');
  expect([create?.path, create?.body ?? {}]).toEqual(['token/create/ci/bob', terms]);
});

test('a session is ended by its ID', async () => {
  const { of } = await openAccount({}, {}, 'sessions');
  await perform('End session');
  const [end] = of('account/').filter(({ method }) => method !== 'GET');
  expect(end?.path).toBe('account/sessions/end/s-1/bob');
});

test('the history is read again until it has the entry of the action', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { of, state } = await openAccount({}, {}, 'history');
  await perform('Lock');
  of('account/lock')[0]?.answer({ changed: true }, 'Locked', { 'x-request-id': 'r-1' });
  await settle();
  const wait = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    await settle();
  };
  await wait(0.5);
  expect(document.body.textContent).toContain('What you just did appears here within a minute.');
  const before = of('audit/browse').length;
  await wait(1);
  expect(of('audit/browse')).toHaveLength(before + 1);
  state.entries = [{ ...ENTRY, requestId: 'r-1' }];
  await wait(2);
  expect(document.body.textContent).not.toContain('appears here');
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
  history.pushState(null, '', '#account?username=bob&part=history');
  dispatchEvent(new Event('hashchange'));
  await settle();
  expect(texts('.entry > span').map((text) => text?.includes('began to'))).toEqual([false, true]);
});

test('an account shows its open one-time code with its author, and nothing without one', async () => {
  const facts = () => texts('dl:first-of-type dt');
  await openAccount({}, { code_created_at: null, code_created_by: null, code_expires_at: null });
  expect(facts()).not.toContain('One-time code');
  const open = { code_created_by: 'ada', code_created_at: '2026-01-01T00:00:00Z' };
  await openAccount({}, { ...open, code_expires_at: '2026-01-02T00:00:00Z' });
  expect(texts('dl:first-of-type dd')[facts().indexOf('One-time code')]).toMatch(
    /^created .* ago by Ada L, ends .* ago$/,
  );
});

test('the page of an account is German on a German page, with its dialogs', async () => {
  await openAccount({ password_set: false, code_expires_at: '2020-01-01T00:00:00Z' }, {}, '', [], 'de');
  expect(texts('.heading button').slice(0, 1)).toEqual(['Sperren']);
  expect(texts('.tabs a')).toEqual(['Profil', 'Zugriff', 'Tokens', 'Sitzungen', 'Verlauf']);
  expect(texts('.standing').join()).toContain('Kann sich nicht anmelden: Es gibt kein Passwort');
  await press('Neuer Code');
  expect(dialogs()).toEqual(['Einmalcode für Bob B erstellen? bob']);
  await press('Zurück');
  await press('Weitere Aktionen');
  await press('Konto kündigen');
  expect(texts('dialog').join()).not.toMatch(/\b(the|and|account|sessions|its|nobody|Machines of)\b/);
  await press('Zurück');
  const words = texts('main').join(' ');
  expect(words).not.toMatch(/\b(Last active|Created|Roles|Answers for|Details|Data|none|ago|Default)\b/);
});

test.each([
  ['9999-12-31T23:59:59+00:00', 'Gesperrt von Ada L seit 09:00, bis jemand das Konto entsperrt'],
  [MONDAY, 'Gesperrt von Ada L seit 09:00 bis Montag um 07:00'],
])('a lock until %s is a German sentence', async (lockoutending, sentence) => {
  process.env['TZ'] = 'UTC';
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-02-27T11:00:00Z') });
  const entry = { ...ENTRY, action: 'account.lock', actor: 'ada', time: '2026-02-27T09:00:00Z' };
  await openAccount({ islocked: true, lockoutending }, {}, '', [entry], 'de');
  expect(texts('.standing > div')).toEqual([sentence]);
});

test('the dialog of an erasure says in German from when on it is possible', async () => {
  await openAccount({ isactive: false, erasable_from: '2999-01-15T12:00:00Z' }, {}, '', [], 'de');
  await press('Weitere Aktionen');
  await press('Endgültig löschen');
  expect(texts('dialog p').join()).toMatch(
    /Das Konto kann ab 1\d\. Januar 2999 um \d\d:\d\d gelöscht werden/,
  );
});

test('a cancelled account has its actions in German', async () => {
  await openAccount({ isactive: false }, {}, '', [], 'de');
  await press('Reaktivieren');
  expect(dialogs()).toEqual(['Bob B reaktivieren? bob']);
  expect(texts('dialog label')).toEqual(['API-Tokens', 'Passkeys der Person']);
  await press('Zurück');
  await press('Weitere Aktionen');
  await press('Endgültig löschen');
  expect(dialogs()).toEqual(['Bob B endgültig löschen? bob']);
});
