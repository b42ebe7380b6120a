import { expect, test } from 'vitest';
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
  expect(texts('dialog p')[0]).toBe('5 changed, 1 not changed.');
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
  expect(texts('dialog p')).toEqual(['2 failed, 4 changed.', 'Those that failed are still selected.']);
  expect(texts('dialog li')[2]).toMatch(/^c Refused/);
  await press('Close');
  expect(selected()).toBe('2 accounts selected');
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
  expect(texts('dialog p')[0]).toBe('1 changed, 5 failed.');
  expect(texts('dialog li').at(-1)).toBe('f Not sent: you stopped before.');
  expect(texts('dialog li')[1]).toMatch(/^b You stopped waiting/);
  await press('Close');
  expect(selected()).toBe('5 accounts selected');
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
  expect(await preview('Lock')).toEqual(['ada is your own', 'bob will be locked', 'cy will be locked']);
  expect(await preview('Unlock')).toEqual(['ada is not locked', 'bob will be unlocked', 'cy is not locked']);
  expect(await preview('Cancel account')).toEqual([
    'ada is your own',
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
  expect(texts('dialog small').join()).toContain(
    '2 of 4 accounts will be cancelled. The others stay as they are.',
  );
  await fill({ 'Type 2 to confirm': '4' });
  await press('Cancel account');
  expect(of('account/cancel')).toEqual([]);
  await fill({ 'Type 2 to confirm': '2' });
  await press('Cancel account');
  expect(of('account/cancel')).toHaveLength(4);
});

test.each([
  ['Add a role', 'add', ['ada has it already', 'bob gets the role']],
  ['Remove a role', 'remove', ['ada loses the role', 'bob does not have it']],
])('%s shows who has the role, once that is read', async (action, kind, lines) => {
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
  expect(texts('dialog p')[0]).toBe('1 not changed, 1 changed.');
  await press('Undo for 1 account');
  const [, , undo] = of('account/access') as [Sent, Sent, Sent];
  expect([undo.path, undo.body]).toEqual([
    'account/access/bob',
    { [kind === 'add' ? 'remove' : 'add']: { roles: ['clerk'] } },
  ]);
  undo.answer({ ...unchanged, roles_added: ['clerk'] });
  await settle();
  expect(texts('dialog p')[0]).toBe('1 not changed, 1 changed back.');
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
  await press(`Undo for ${items.length} accounts`);
  const undone = sent.slice(before);
  expect(undone.map(({ path, body }) => [path, body])).toEqual(restored);
  await answerAll(undone);
  expect(texts('dialog p')).toEqual([`${items.length} changed back.`]);
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
  await press('Undo for 2 accounts');
  await press('Close');
  expect(texts('dialog .error').at(-1)).toMatch(/^Some changes are not yet taken back/);
  const [first, second] = of('account/unlock') as [Sent, Sent];
  first.refuse(409, 'conflict');
  await answerAll([second]);
  expect([texts('dialog p')[0], texts('dialog li')[0]]).toEqual([
    '1 failed, 1 not changed, 1 changed back.',
    expect.stringMatching(/^a Refused/),
  ]);
  await press('Undo for 1 account');
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
  expect([texts('dialog p'), texts('dialog button')]).toEqual([['1 changed.'], ['Close']]);
});

test('accounts become administrators only after a box that says what it gives', async () => {
  const { of } = await choose([account('ada'), account('bob')]);
  await press('Add a role');
  for (const read of of('account/profile/')) read.answer({ roles: [] });
  await fill({ Role: 'sys_adm' });
  expect(texts('dialog .check')).toEqual([]);
  await pick({ Role: 'sys_adm' });
  expect([field('Role').value, texts('dialog .check')]).toEqual([
    'sys_administrator',
    [expect.stringMatching(/^Yes, make 2 accounts an administrator/)],
  ]);
  await press('Add a role');
  expect(of('account/access')).toEqual([]);
  (all('dialog [type=checkbox]')[0] as HTMLInputElement).checked = true;
  await press('Add a role');
  expect(of('account/access')).toHaveLength(2);
});

test('a selection spans pages, and ends with the hundredth account', async () => {
  const pages = [0, 1, 2].map((page) => Array.from({ length: 50 }, (_, n) => account(`u-${page}-${n}`)));
  await choose([], pages);
  expect(selected()).toBe('50 accounts selected');
  await press('Next page');
  expect(field('Select all on this page').checked).toBe(false);
  await check('Select u-1-0');
  expect([selected(), field('Select all on this page').indeterminate]).toEqual([
    '51 accounts selected, 50 on other pages',
    true,
  ]);
  await check('Select all on this page');
  expect(selected()).toBe('100 accounts selected, 50 on other pages, the most at once');
  await press('Next page');
  expect([field('Select all on this page').disabled, field('Select u-2-0').disabled]).toEqual([true, true]);
  await press('First page');
  expect(field('Select all on this page').checked).toBe(true);
  await check('Select u-0-0', false);
  await check('Select all on this page', false);
  expect(selected()).toBe('50 accounts selected, all on other pages');
  await press('Clear');
  expect([selected(), dialogs()]).toEqual(['', []]);
});

test('a selection stays while other screens are visited, with what the list has loaded since', async () => {
  const items = [account('bob'), account('cy')];
  await choose(items);
  await press('Teams');
  expect(all('.bulk')).toEqual([]);
  items[0] = account('bob', { islocked: true });
  await press('People');
  expect([selected(), field('Select bob').checked]).toEqual(['2 accounts selected', true]);
  await press('Unlock');
  expect(texts('dialog li').map((line) => line.replace(/:.*/, ''))).toEqual([
    'bob will be unlocked',
    'cy is not locked',
  ]);
});
