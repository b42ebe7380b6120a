import { expect, onTestFinished, test, vi } from 'vitest';
import { all, dialogs, field, fill, openPage, pick, press, type Sent, settle, texts } from './opened.ts';

const account = (username: string, state: object = {}) => ({
  id: `id of ${username}`,
  username,
  user_first_name: '',
  user_last_name: '',
  isactive: true,
  islocked: false,
  created_at: '2026-01-01T00:00:00Z',
  lastActivity: '2026-01-02T00:00:00',
  teams: 0,
  roles: 0,
  ...state,
});

/** Opens the accounts, of which some are chosen. */
async function choose(items: readonly object[], pages: readonly (readonly object[])[] = [items]) {
  const page = await openPage({
    answers: {
      'account/browse': ({ query }) => {
        const number = Number(query['cursor'] ?? 0);
        return { items: pages[number], ...(number + 1 < pages.length && { next_cursor: `${number + 1}` }) };
      },
    },
  });
  await check('Select all on this page');
  return page;
}

async function check(label: string, isChosen = true) {
  const box = field(label);
  box.checked = isChosen;
  box.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
}

const LATER = 'You can also undo this later, in Activity.';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

const selected = () => texts('.bulk [role=status]').join();

async function lockAll() {
  const page = await choose(NAMES.map((name) => account(name)));
  await press('Lock');
  await fill({ Reason: 'Left', Until: '' });
  await press('Lock');
  const locks = () => page.of('account/lock');
  return { ...page, locks };
}

test('a change of several accounts is sent for four at a time, until all are done, and the report has each', async () => {
  const { locks, of } = await lockAll();
  expect(locks()).toHaveLength(4);
  expect((all('progress')[0] as HTMLProgressElement).max).toBe(NAMES.length);
  locks()[1]?.answer({ changed: true });
  await settle();
  expect(locks()).toHaveLength(5);
  for (const lock of locks()) lock.answer({ changed: lock.path !== 'account/lock/c' });
  await settle();
  locks()[5]?.answer({ changed: true });
  await settle();
  expect(locks().map(({ path, body }) => [path, body])).toEqual(
    NAMES.map((name) => [`account/lock/${name}`, { reason: 'Left' }]),
  );
  expect(texts('dialog p')[0]).toBe('You locked 5 people (1 had this lock).');
  expect(texts('dialog li')).toEqual(
    NAMES.map((name) => `${name} ${name === 'c' ? 'not changed' : 'changed'}`),
  );
  expect([selected(), all('progress')]).toEqual(['', []]);
  expect(of('account/browse')).toHaveLength(2);
});

test('a change of several accounts goes on when some fail, and only those stay selected', async () => {
  const { locks } = await lockAll();
  locks()[0]?.refuse(409, 'conflict');
  locks()[1]?.answer({ changed: true });
  locks()[2]?.refuse(403, 'own_account');
  locks()[3]?.answer({ changed: true });
  await settle();
  for (const lock of locks().slice(4)) lock.answer({ changed: true });
  await settle();
  expect(locks()).toHaveLength(6);
  expect(texts('dialog p')).toEqual([
    'You locked 4 people.',
    'It failed for 2 people, who are still selected.',
    LATER,
  ]);
  expect(texts('dialog li').slice(0, 2)).toEqual([
    expect.stringMatching(/^a Refused/),
    expect.stringMatching(/^c Refused/),
  ]);
  await press('Close');
  expect(selected()).toBe('2 people selected');
  expect(['a', 'b', 'c'].map((name) => field(`Select ${name}`).checked)).toEqual([true, false, true]);
  await press('Lock');
  await press('Lock');
  expect(
    locks()
      .slice(6)
      .map(({ path }) => path),
  ).toEqual(['account/lock/a', 'account/lock/c']);
});

test('a stopped change of several accounts sends no more, and reports each account', async () => {
  const { locks } = await lockAll();
  locks()[0]?.answer({ changed: true });
  await settle();
  await press('Stop');
  expect(locks()).toHaveLength(5);
  expect(locks().map(({ signal }) => signal.aborted)).toEqual(Array(5).fill(true));
  expect(texts('dialog p').slice(0, 2)).toEqual([
    'You locked a.',
    'It failed for 5 people, who are still selected.',
  ]);
  expect(texts('dialog li').at(-1)).toBe('a changed');
  expect(texts('dialog li')[4]).toBe('f Not sent: you stopped before.');
  expect(texts('dialog li')[0]).toMatch(/^b You stopped waiting/);
  await press('Close');
  expect(selected()).toBe('5 people selected');
});

test('the browser prompts before it leaves the page while a change of several accounts runs', async () => {
  const isPrompted = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const { locks } = await lockAll();
  expect(isPrompted()).toBe(true);
  for (const lock of locks()) lock.answer({ changed: true });
  await settle();
  for (const lock of locks()) lock.answer({ changed: true });
  await settle();
  await press('Close');
  expect(isPrompted()).toBe(false);
});

test('the preview of a change lists its effect on each account, in the order of the selection', async () => {
  await choose([
    account('ada'),
    account('bob', { islocked: true }),
    account('cy', { isactive: false, cancelled_at: '2026-01-01T00:00:00Z' }),
  ]);
  const preview = async (action: string) => {
    await press(action);
    const lines = texts('dialog li').map((line) => line.replace(/:.*/, ''));
    await press('Back');
    return lines;
  };
  expect(await preview('Lock')).toEqual([
    'ada is your own account',
    'bob will be locked',
    'cy will be locked',
  ]);
  expect(await preview('Unlock')).toEqual(['ada is not locked', 'bob will be unlocked', 'cy is not locked']);
  expect(await preview('Cancel account')).toEqual([
    'ada is your own account',
    'bob will be cancelled',
    'cy is cancelled already',
  ]);
});

test('a dialog for several accounts tells the effect once', async () => {
  await choose([account('bob'), account('cy')]);
  await press('Lock');
  expect([texts('dialog form > p'), texts('dialog li')]).toEqual([
    [expect.stringMatching(/^No password and no token works/)],
    ['bob will be locked', 'cy will be locked'],
  ]);
});

test('a cancellation of several accounts requires the number of those that it cancels', async () => {
  const { of } = await choose([
    account('ada'),
    account('bob'),
    account('cy'),
    account('di', { isactive: false }),
  ]);
  await press('Cancel account');
  expect(texts('dialog [role=status]').join()).toContain(
    '2 of 4 people will change. The others stay as they are.',
  );
  await fill({ 'Type 2 to confirm': '4' });
  await press('Cancel account');
  expect(of('account/cancel')).toEqual([]);
  await fill({ 'Type 2 to confirm': '2' });
  await press('Cancel account');
  expect(of('account/cancel')).toHaveLength(4);
});

test.each([
  ['Add a role', 'add', ['ada has it already', 'bob gets the role'], 'You gave clerk to bob (1 had it).'],
  [
    'Remove a role',
    'remove',
    ['ada loses the role', 'bob does not have it'],
    'You took clerk from bob (1 did not have it).',
  ],
])('%s shows who has the role, once that is read', async (action, kind, lines, told) => {
  const { of } = await choose([account('ada'), account('bob')]);
  await press(action);
  await fill({ Role: 'clerk' });
  expect(texts('dialog li')).toEqual([]);
  const [ada, bob] = of('account/profile/') as [Sent, Sent];
  bob.answer({ roles: [] });
  ada.answer({ roles: ['clerk'] });
  await settle();
  expect([ada.path, ada.query]).toEqual(['account/profile/ada', { pscope: 'roles' }]);
  expect(texts('dialog li')).toEqual(lines);
  await press(action);
  const access = of('account/access');
  expect(access.map(({ body }) => body)).toEqual(Array(2).fill({ [kind]: { roles: ['clerk'] } }));
  const unchanged = { roles_added: [], roles_removed: [] };
  access[0]?.answer(unchanged);
  access[1]?.answer({ ...unchanged, [kind === 'add' ? 'roles_added' : 'roles_removed']: ['clerk'] });
  await settle();
  expect(texts('dialog p')[0]).toBe(told);
  await press('Undo for 1 person');
  const [, , undo] = of('account/access') as [Sent, Sent, Sent];
  expect([undo.path, undo.body]).toEqual([
    'account/access/bob',
    { [kind === 'add' ? 'remove' : 'add']: { roles: ['clerk'] } },
  ]);
  undo.answer({ ...unchanged, roles_added: ['clerk'] });
  await settle();
  expect(texts('dialog p')).toEqual([expect.stringMatching(/^Nothing changed/), 'Taken back for 1 person.']);
});

const answerAll = async (requests: readonly Sent[], changed = true) => {
  for (const request of requests) request.answer({ changed });
  await settle();
};

/** Accounts that are locked: for good, until a time, and until now, which the page does not know yet. */
const LOCKED = [
  account('b', { islocked: true, lockoutending: '9999-12-31T23:59:59Z', lock_reason: 'Left' }),
  account('c', { islocked: true, lockoutending: '2999-01-01T00:00:00Z', lock_reason: '' }),
  account('d', { islocked: true, lockoutending: '2026-01-01T00:00:00Z', lock_reason: 'Away' }),
];

const RESTORED = [
  ['account/lock/b', { reason: 'Left', until: '9999-12-31T23:59:59Z' }],
  ['account/lock/c', { until: '2999-01-01T00:00:00Z' }],
  ['account/unlock/d', {}],
];

test.each([
  ['Lock', [account('a'), ...LOCKED], [['account/unlock/a', {}], ...RESTORED]],
  ['Unlock', LOCKED, RESTORED],
])('the undo of %s for several accounts gives each the lock that it had', async (action, items, restored) => {
  const { sent, of } = await choose(items);
  await press(action);
  await press(action);
  await answerAll(of(`account/${action.toLowerCase()}/`));
  const [before, read] = [sent.length, of('account/browse').length];
  await press(`Undo for ${items.length} people`);
  const undone = sent.slice(before);
  expect(undone.map(({ path, body }) => [path, body])).toEqual(restored);
  await answerAll(undone);
  expect(texts('dialog p')).toEqual([`Taken back for ${items.length} people.`]);
  expect(all('dialog button').map(({ textContent }) => textContent)).toEqual(['Close']);
  expect(of('account/browse')).toHaveLength(read + 1);
});

test('the undo of a change is for those that were changed, and again for those where it failed', async () => {
  const { of } = await choose([account('a'), account('b'), account('c')]);
  await press('Lock');
  await press('Lock');
  const [a, b, c] = of('account/lock') as [Sent, Sent, Sent];
  await answerAll([a, c]);
  await answerAll([b], false);
  await press('Undo for 2 people');
  await press('Close');
  expect(texts('dialog .error').at(-1)).toMatch(/^Some changes are not yet taken back/);
  const [first, second] = of('account/unlock') as [Sent, Sent];
  first.refuse(409, 'conflict');
  await answerAll([second]);
  expect([texts('dialog p'), texts('dialog li')[0]]).toEqual([
    [
      'Nothing changed (1 had this lock).',
      'Taken back for 1 person.',
      'It could not be taken back for 1 person.',
      LATER,
    ],
    expect.stringMatching(/^a Refused/),
  ]);
  await press('Undo for 1 person');
  expect(of('account/unlock').map(({ path }) => path)).toEqual([
    'account/unlock/a',
    'account/unlock/c',
    'account/unlock/a',
  ]);
});

test('a cancellation of several accounts has no undo, since applications may have deleted data', async () => {
  const { of } = await choose([account('a')]);
  await press('Cancel account');
  await fill({ 'Type 1 to confirm': '1' });
  await press('Cancel account');
  await answerAll(of('account/cancel'));
  expect([texts('dialog p'), texts('dialog button')]).toEqual([
    ['You cancelled the account of a.'],
    ['Close'],
  ]);
});

test('accounts become administrators only after a box that says what it gives', async () => {
  const { of } = await choose([account('ada'), account('bob')]);
  await press('Add a role');
  for (const read of of('account/profile/')) read.answer({ roles: [] });
  await fill({ Role: 'sys_adm' });
  expect(texts('dialog .check')).toEqual([]);
  await pick({ Role: 'sys_adm' });
  expect([field('Role').value, texts('dialog .check')]).toEqual([
    'Administrator',
    [expect.stringMatching(/^Yes, make 2 people administrators/)],
  ]);
  await press('Add a role');
  expect(of('account/access')).toEqual([]);
  (all('dialog [type=checkbox]')[0] as HTMLInputElement).checked = true;
  await press('Add a role');
  expect(of('account/access')).toHaveLength(2);
});

/** The people on three pages. */
const pagesOf = (size: number) =>
  [0, 1, 2].map((page) => Array.from({ length: size }, (_, n) => account(`u-${page}-${n}`)));

test('a selection spans pages, with the people who are on others', async () => {
  await choose([], pagesOf(50));
  expect(selected()).toBe('50 people selected');
  await press('Next page');
  expect(field('Select all on this page').checked).toBe(false);
  await check('Select u-1-0');
  expect([selected(), field('Select all on this page').indeterminate]).toEqual([
    '51 people selected, 50 on other pages',
    true,
  ]);
  await check('Select all on this page');
  expect(selected()).toBe('100 people selected, 50 on other pages');
  await press('First page');
  expect(field('Select all on this page').checked).toBe(true);
  await check('Select u-0-0', false);
  await check('Select all on this page', false);
  expect(selected()).toBe('50 people selected, all on other pages');
  await press('Clear');
  expect([selected(), dialogs()]).toEqual(['', []]);
});

/** Opens a filtered list of three pages, without a selection. */
async function openPages(size: number, address = '#accounts?state=active') {
  let waits: ((data: object) => void) | undefined;
  const pages = pagesOf(size);
  const page = await openPage({
    address,
    answers: {
      'account/browse': ({ query, answer }) => {
        const number = Number(query['cursor'] ?? 0);
        const data = { items: pages[number], ...(number < 2 && { next_cursor: `${number + 1}` }) };
        if (number !== 1) return data;
        waits = answer;
        return undefined;
      },
    },
  });
  return { ...page, answerSecond: () => waits?.({ items: pages[1], next_cursor: '2' }) };
}

test('a button selects all people who match, on all pages, with progress', async () => {
  const { of, answerSecond } = await openPages(50);
  const before = of('account/browse').length;
  await press('Select all that match');
  expect([texts('main > section [role=status]'), selected()]).toEqual([['50 read…'], '']);
  answerSecond();
  await settle();
  expect(selected()).toBe('150 people selected, 100 on other pages');
  expect(all('button', 'Select all that match')).toEqual([]);
  const [first] = of('account/browse').slice(before);
  expect(first?.query).toEqual({ kind: 'person', names: 'true', state: 'active', limit: '1000' });
  await check('Select u-0-0', false);
  expect(all('button', 'Select all 150')).toHaveLength(1);
});

test('a selection of all people ends where it is stopped, and with another filter', async () => {
  const { answerSecond } = await openPages(50, '#accounts');
  await press('Select all people');
  await press('Stop');
  answerSecond();
  await settle();
  expect([selected(), all('main [role=alert]')]).toEqual(['', []]);
  await press('Select all people');
  await press('Locked ');
  answerSecond();
  await settle();
  expect([selected(), all('button', 'Select all that match')]).toEqual(['', [expect.anything()]]);
});

test('a selection ends with the thousandth person, and says that more match', async () => {
  const pages = pagesOf(50);
  const others = Array.from({ length: 900 }, (_, n) => account(`other-${n}`));
  await openPage({
    address: '#accounts?state=active',
    answers: {
      'account/browse': ({ query }) => {
        if (query['limit'] === '1000')
          return { items: [...pages.slice(0, 2).flat(), ...others], next_cursor: 'x' };
        const number = Number(query['cursor'] ?? 0);
        return { items: pages[number], ...(number < 2 && { next_cursor: `${number + 1}` }) };
      },
    },
  });
  await press('Select all that match');
  expect([selected(), texts('.bulk').join()]).toEqual([
    '1,000 people selected, 950 on other pages, the most at once',
    expect.stringContaining('More than 1,000 match: the first 1,000 are selected.'),
  ]);
  await press('Next page');
  await press('Next page');
  expect([field('Select all on this page').disabled, field('Select u-2-0').disabled]).toEqual([true, true]);
  await press('First page');
  await check('Select u-0-0', false);
  expect(selected()).toBe('999 people selected, 950 on other pages');
});

test('all requests of a change are one batch, and those of its undo another one', async () => {
  const { of } = await choose([account('a'), account('b'), account('c')]);
  await press('Lock');
  await press('Lock');
  const batchOf = ({ headers }: Sent) => [headers.get('x-batch'), headers.get('x-batch-size')];
  const locks = of('account/lock') as [Sent, Sent, Sent];
  const [id] = batchOf(locks[0]);
  expect(id).toMatch(/^[0-9a-f]{8}-/);
  expect(locks.map(batchOf)).toEqual(Array(3).fill([id, '3']));
  await answerAll(locks.slice(0, 2));
  await answerAll(locks.slice(2), false);
  await press('Undo for 2 people');
  const unlocks = of('account/unlock').map(batchOf);
  expect(unlocks).toEqual(Array(2).fill([expect.stringMatching(/^[0-9a-f]{8}-/), '2']));
  expect(unlocks[0]?.[0]).not.toBe(id);
});

test('a change of several people goes on by itself when the service is no longer busy', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { locks } = await lockAll();
  locks()[0]?.refuse(429, 'too_many_requests', [], { 'retry-after': '30' });
  await settle();
  for (const lock of locks().slice(1)) lock.answer({ changed: true });
  await settle();
  expect([locks().length, texts('dialog .work').join()]).toEqual([
    4,
    expect.stringMatching(/^The service is busy. The work goes on by itself at \d\d:\d\d:\d\d\.$/),
  ]);
  await vi.advanceTimersByTimeAsync(30_000);
  await settle();
  expect(texts('dialog .work')).toEqual(['']);
  for (const lock of locks().slice(4)) lock.answer({ changed: true });
  await settle();
  expect([locks().length, texts('dialog p')[0]]).toEqual([7, 'You locked 6 people.']);
});

test('a change that is stopped while the service is busy says what was not sent', async () => {
  const { locks } = await lockAll();
  for (const lock of locks()) lock.refuse(503, 'unavailable', [], { 'retry-after': '30' });
  await settle();
  await press('Stop');
  expect(texts('dialog li')).toEqual(NAMES.map((name) => `${name} Not sent: you stopped before.`));
});

test('the names that the list has loaded show who has a role, without a request', async () => {
  const { of } = await choose([
    account('bob', { user_first_name: 'Bob', user_last_name: 'Hoskins', role_names: ['clerk'] }),
    account('cy', { role_names: [] }),
  ]);
  await press('Add a role');
  await fill({ Role: 'clerk' });
  expect([dialogs(), texts('dialog li')]).toEqual([
    ['Give 2 people a role?'],
    ['Bob Hoskins bob has it already', 'cy gets the role'],
  ]);
  expect(of('account/profile/')).toEqual([]);
});

test('a dialog for one person is named after them', async () => {
  await choose([account('bob', { user_first_name: 'Bob', user_last_name: 'Hoskins' })]);
  await press('Lock');
  expect(dialogs()).toEqual(['Lock Bob Hoskins?']);
});

test('a cancellation names the people who answer for machines, with links', async () => {
  const page = await openPage({
    answers: {
      'account/browse': ({ query }) =>
        query['kind'] === 'machine'
          ? { items: [account('robot', { kind: 'machine', owner: 'bob' })] }
          : { items: [account('bob'), account('cy')] },
    },
  });
  await check('Select all on this page');
  await press('Lock');
  expect(page.of('account/browse').map(({ query }) => query['kind'])).toEqual(['person']);
  await press('Back');
  await press('Cancel account');
  expect(texts('dialog .plain a')).toEqual(['Machines of bob']);
  expect(texts('dialog p').join()).toContain('1 person answers for machines.');
});

const NOW = '2026-11-30T12:00:00Z';
const [EARLIER, LATE] = ['2026-11-29T12:00:00Z', '2026-12-01T12:00:00Z'];
const OPEN = { password_set: false, lastActivity: '2026-01-01T00:00:00' };

/** Opens the dialog for new codes of people in all states. */
async function beginCodes() {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
  onTestFinished(() => void vi.useRealTimers());
  const page = await choose([
    account('ann', { ...OPEN, code_expires_at: EARLIER, user_first_name: 'Ann', user_last_name: 'Lee' }),
    account('bob', { ...OPEN, code_expires_at: LATE }),
    account('cy', { ...OPEN, code_expires_at: null }),
    account('di', { password_set: true, code_expires_at: EARLIER }),
    account('ed', { password_set: true, code_expires_at: null }),
    account('flo', { ...OPEN, code_expires_at: EARLIER, isactive: false }),
    account('gus', { ...OPEN, islocked: true, lockoutending: '9999-12-31T23:59:59Z' }),
  ]);
  await press('New codes');
  return page;
}

test('new codes are for people without a password and those whose code has ended', async () => {
  const { of } = await beginCodes();
  expect(texts('dialog li')).toEqual([
    'Ann Lee ann gets a new code',
    'bob gets a new code',
    'cy gets a new code',
    'di gets a new code',
    'ed has a password',
    'flo is cancelled',
    'gus is locked: unlock it first',
  ]);
  await fill({ 'The code ends after': '72' });
  await press('New codes');
  expect(
    of('account/code').map(({ path, body, headers }) => [path, body, headers.get('x-batch-size')]),
  ).toEqual(['ann', 'bob', 'cy', 'di'].map((name) => [`account/code/${name}`, { hours: 72 }, '4']));
});

test('new codes are listed, copied as messages, and lost only after a warning', async () => {
  const { of } = await beginCodes();
  await press('New codes');
  const [ann, bob, ...others] = of('account/code') as [Sent, Sent, ...Sent[]];
  ann.answer({ code: 'AAAA', expires_at: LATE });
  bob.answer({ code: 'BBBB', expires_at: LATE });
  for (const other of others) other.refuse(409, 'conflict');
  await settle();
  expect(texts('dialog > .sheet p')[0]).toBe('You created codes for 2 people.');
  expect(texts('[aria-label="New codes"] code')).toEqual(['AAAA', 'BBBB']);
  expect(texts('[aria-label="People without a new code"] li')).toEqual([
    expect.stringMatching(/^cy Refused/),
    expect.stringMatching(/^di Refused/),
    'ed has a password',
    'flo is cancelled',
    'gus is locked: unlock it first',
  ]);
  await press('Close');
  expect(texts('dialog .error').at(-1)).toMatch(/^You have neither copied nor downloaded the codes/);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press('Copy all as messages');
  const messages = `${write.mock.lastCall?.[0]}`.split('\n\n');
  expect(messages).toHaveLength(2);
  expect(messages[0]).toMatch(
    /^Ann Lee, set your password for localhost:3000:\n.*#code\?username=ann\nUsername: ann\n.*AAAA\n/,
  );
  await press('Close');
  expect([dialogs(), selected()]).toEqual([[], '2 people selected']);
});

test('new codes are sent for nobody who needs none', async () => {
  const { of } = await choose([account('ed', { password_set: true, code_expires_at: null })]);
  await press('New codes');
  expect(texts('dialog [role=status]').join()).toContain('Nobody who is selected needs a code.');
  await press('New codes');
  expect([of('account/code'), texts('dialog .error')]).toEqual([
    [],
    [expect.stringContaining('Nobody who is selected needs a code.')],
  ]);
});

test('a selection stays while other screens are visited, with what the list has loaded since', async () => {
  const items = [account('bob'), account('cy')];
  await choose(items);
  await press('Teams');
  expect(all('.bulk')).toEqual([]);
  items[0] = account('bob', { islocked: true });
  await press('People');
  expect([selected(), field('Select bob').checked]).toEqual(['2 people selected', true]);
  await press('Unlock');
  expect(texts('dialog li').map((line) => line.replace(/:.*/, ''))).toEqual([
    'bob will be unlocked',
    'cy is not locked',
  ]);
});
