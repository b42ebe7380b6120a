// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { all, dialogs, field, fill, openPage, perform, press, settle, texts } from './opened.ts';

const ACCESS = { Roles: '', 'Teams (short names)': '', Applications: '' };

test.each<[string, Record<string, string>, object]>([
  ['without its empty fields', {}, {}],
  [
    'with the fields of the profile, the names of its access and the hours of a code',
    {
      'First name': 'Ada',
      'Custom properties': '{"a":{}}',
      Roles: 'clerk',
      'Hours until the code ends': '3',
    },
    { user_first_name: 'Ada', user_properties: { a: {} }, roles: ['clerk'], invite_hours: 3 },
  ],
])('an account is created %s', async (_what, values, more) => {
  const { of } = await openPage({ address: '#new' });
  await perform('Create account', { Username: 'ada', ...ACCESS, ...values });
  expect(of('account/create').map(({ body }) => body)).toEqual([{ username: 'ada', ...more }]);
  of('account/create')[0]?.answer({ code: 'ABCD' });
  await settle();
  expect([location.hash, field('One-time code').value]).toEqual(['#account?username=ada', 'ABCD']);
  await press('Close');
});

/** Opens the import, with teams on two pages. */
const openImport = () =>
  openPage({
    address: '#new',
    answers: {
      'team/browse': ({ query }) =>
        query['cursor']
          ? { items: [{ team_short: 'HR' }] }
          : { items: [{ team_short: 'ops' }], next_cursor: 'p2' },
    },
  });

const status = () => texts('section [role=status]').join();

/** Chooses a file, and waits until it is checked. */
async function choose(name: string, lines: readonly string[], expected: string) {
  const input = field('File');
  Object.defineProperty(input, 'files', { configurable: true, value: [new File([lines.join('\n')], name)] });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  await expect.poll(status).toBe(expected);
  await settle();
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const FILE = NAMES.map((username) => JSON.stringify({ username }));

async function start(hours = '') {
  await expect.poll(() => all('button', 'Import').length).toBe(1);
  await press('Import');
  await fill({ 'Hours until the code ends': hours });
  await press('Import');
}

test('an import lists the faults of a file, and sends nothing', async () => {
  const { of } = await openImport();
  await choose('x.csv', ['username,teams', 'a,hr', 'b,none', 'a,ops'], '3 accounts, 2 with faults.');
  expect(texts('section li')).toEqual([
    'Line 3, teams.0: Must be the short name of a team.',
    'Line 4, username: Repeats line 2.',
  ]);
  expect([all('button', 'Import'), of('account/create')]).toEqual([[], []]);
});

test('an import creates each account of a file, four at a time, and reports each outcome', async () => {
  const { of } = await openImport();
  const creates = () => of('account/create');
  await choose('x.jsonl', FILE, '6 accounts, 0 with faults.');
  await start('5');
  expect(creates()).toHaveLength(4);
  creates()[0]?.answer({ code: 'CODE-A' });
  creates()[1]?.refuse(409, 'account_exists');
  creates()[2]?.refuse(403, 'quota');
  creates()[3]?.answer({ code: 'CODE-D' });
  await settle();
  for (const create of creates().slice(4)) create.answer({ code: 'CODE' });
  await settle();
  expect(creates().map(({ body }) => body)).toEqual(NAMES.map((username) => ({ username, invite_hours: 5 })));
  expect(texts('dialog p')).toEqual([
    '4 created, 1 existed, 1 quota.',
    expect.stringContaining('one-time codes'),
  ]);
  expect(texts('dialog li')).toEqual(['Line 3: c: quota.']);
  let saved = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob;
    return 'blob:';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await press('Download report');
  await expect.poll(() => saved.size).toBeGreaterThan(0);
  expect((await saved.text()).trim().split('\n').slice(1)).toEqual([
    '"1","a","created","CODE-A"',
    '"2","b","existed",""',
    '"3","c","quota",""',
    '"4","d","created","CODE-D"',
    '"5","e","created","CODE"',
    '"6","f","created","CODE"',
  ]);
  vi.restoreAllMocks();
  await press('Close');
});

test('a stopped import awaits what was sent, sends no more, and sends the same keys when it goes on', async () => {
  const { of } = await openImport();
  const creates = () => of('account/create');
  const keys = () => creates().map(({ headers }) => headers.get('idempotency-key'));
  await choose('x.jsonl', FILE, '6 accounts, 0 with faults.');
  await start('5');
  await press('Stop');
  expect([dialogs(), creates().map(({ signal }) => signal.aborted)]).toEqual([[], Array(4).fill(false)]);
  for (const create of creates()) create.answer({ code: 'CODE' });
  await settle();
  expect([creates().length, texts('dialog p')[0]]).toEqual([4, '4 created, 2 not sent.']);
  expect(texts('dialog li')).toEqual(['Line 5: e: not sent.', 'Line 6: f: not sent.']);
  await press('Close');
  await start('5');
  for (const create of creates().slice(4)) create.answer({ code: 'CODE' });
  await settle();
  for (const create of creates().slice(8)) create.answer({ code: 'CODE' });
  await settle();
  expect(keys().slice(4, 8)).toEqual(keys().slice(0, 4));
  expect(new Set(keys()).size).toBe(NAMES.length);
  await press('Close');
});

test('the keys of an import depend on the file, the hours and a secret of this browser', async () => {
  const { of } = await openImport();
  const keyOf = async (text: string, hours = '') => {
    await choose('x.jsonl', [text], '1 account, 0 with faults.');
    await start(hours);
    const last = of('account/create').at(-1);
    last?.answer({});
    await settle();
    await press('Close');
    return last?.headers.get('idempotency-key');
  };
  const one = '{"username":"a"}';
  const keys = [await keyOf(one), await keyOf(`${one} `), await keyOf(one, '5')];
  const again = await keyOf(one);
  localStorage.clear();
  expect(new Set([...keys, await keyOf(one)]).size).toBe(4);
  expect(again).toBe(keys[0]);
});

test('a file that cannot be checked leaves no earlier file to import', async () => {
  let isBroken = false;
  const { of } = await openPage({
    address: '#new',
    answers: { 'team/browse': () => (isBroken ? undefined : { items: [] }) },
  });
  await choose('x.jsonl', FILE, '6 accounts, 0 with faults.');
  isBroken = true;
  const before = of('team/browse').length;
  const input = field('File');
  Object.defineProperty(input, 'files', { configurable: true, value: [new File(['{}'], 'y.jsonl')] });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.poll(() => of('team/browse').length).toBe(before + 1);
  expect(all('button', 'Import')).toEqual([]);
  of('team/browse').at(-1)?.refuse(403, 'quota');
  await expect.poll(() => all('[role=alert]').length).toBe(1);
  expect(all('button', 'Import')).toEqual([]);
});
