// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { all, dialogs, field, fill, openPage, pick, press, settle, texts } from './opened.ts';

/** Opens the invitation, with one team. */
const openInvite = () =>
  openPage({
    address: '#invite',
    answers: {
      'team/browse': () => ({ items: [{ team_short: 'OPS', team_name: 'Operations' }] }),
      'account/browse': () => ({ items: [{ role_names: ['clerk'], app_names: ['core', 'till'] }] }),
    },
  });

test('an invitation asks for name, username, role and team, with everything else folded away', async () => {
  await openInvite();
  const isFolded = (label: HTMLElement) => label.closest('details') !== null;
  const labels = all('main label');
  expect(labels.filter((label) => !isFolded(label)).map(({ textContent }) => textContent)).toEqual([
    'First name',
    'Last name',
    'Username',
    'Roles',
    'Teams',
  ]);
  expect(all('main details[open]')).toEqual([]);
  expect(labels.filter(isFolded)).toHaveLength(7);
});

test.each<[string, Record<string, string>, Record<string, string>, object]>([
  ['with a code of a day', {}, {}, { invite_hours: 24 }],
  ['without a code when its hours are emptied', { 'Hours until the code ends': '' }, {}, {}],
  [
    'with the fields of the profile, the names of its access and the hours of a code',
    { 'First name': 'Ada', 'Custom properties': '{"a":{}}', 'Hours until the code ends': '3' },
    { Roles: 'clerk', Teams: 'oper', Applications: 'till' },
    {
      user_first_name: 'Ada',
      user_properties: { a: {} },
      roles: ['clerk'],
      teams: ['OPS'],
      apps: ['till'],
      invite_hours: 3,
    },
  ],
])('an account is created %s', async (_what, values, picked, more) => {
  const { of } = await openInvite();
  await fill({ Username: 'ada', ...values });
  await pick(picked);
  await press('Invite');
  expect(of('account/create').map(({ body }) => body)).toEqual([{ username: 'ada', ...more }]);
});

test('the answer of an invitation says whom to give the code, until when it works, and where', async () => {
  const { of } = await openInvite();
  await fill({ 'First name': 'Ada', 'Last name': 'Byron', Username: 'ada+b' });
  await press('Invite');
  of('account/create')[0]?.answer({ code: 'ABCD', code_expires_at: '2026-11-27T09:30:00Z' });
  await settle();
  const address = new URL('/api/core/admin#code?username=ada%2Bb', location.href).href;
  expect([location.hash, field('One-time code').value]).toEqual(['#account?username=ada%2Bb', 'ABCD']);
  expect([texts('dialog li strong'), texts('dialog li a')]).toEqual([['Ada Byron'], [address]]);
  expect(texts('dialog li').at(-1)).toMatch(/^The code works once, until Friday,? 27 November 2026/);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press('Copy as a message');
  expect(write.mock.lastCall?.[0].split('\n').slice(1, 4)).toEqual([
    address,
    'Username: ada+b',
    'One-time code: ABCD',
  ]);
  await press('Close');
  expect(texts('.notice')).toEqual(['ada+b is invited. They can log in once they have set a password.']);
});

test('the address of an invitation fills in the username', async () => {
  await openPage({ address: '#code?username=ada%2Bb', hasSession: false });
  expect(field('Username').value).toBe('ada+b');
});

/** Opens the import, with teams on two pages. */
const openImport = () =>
  openPage({
    address: '#import',
    answers: {
      'team/browse': ({ query }) =>
        query['cursor']
          ? { items: [{ team_short: 'HR' }] }
          : { items: [{ team_short: 'ops' }], next_cursor: 'p2' },
    },
  });

const status = () => texts('.card [role=status]').join();

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

/** The file that the page saves last. */
function saving() {
  let saved = new Blob();
  const names: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob;
    return 'blob:';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return {
    names,
    // Not `text()`, which omits the byte order mark.
    text: async () => Buffer.from(await saved.arrayBuffer()).toString(),
  };
}

afterEach(() => vi.restoreAllMocks());

test('an import creates the accounts without faults, and saves the other lines with their faults', async () => {
  const { of } = await openImport();
  const saved = saving();
  const file = ['username;user_last_name;teams', 'a;"Berg;";hr', 'b;Ötz;none', 'a;;ops', 'c;;ops\n'];
  await choose('people.csv', file, '4 accounts, 2 with faults.');
  expect(texts('main li')).toEqual([
    'Line 3, teams.0: Must be the short name of a team.',
    'Line 4, username: Repeats line 2.',
  ]);
  await press('Download 2 with faults');
  expect([saved.names, await saved.text()]).toEqual([
    ['people-faults.csv'],
    '\ufefffault;username;user_last_name;teams\n' +
      '"teams.0: Must be the short name of a team";b;Ötz;none\n' +
      '"username: Repeats line 2";a;;ops\n',
  ]);
  await press('Import 2 without faults');
  await press('Import 2 without faults');
  expect(of('account/create').map(({ body }) => body)).toEqual([
    { username: 'a', user_last_name: 'Berg;', teams: ['hr'] },
    { username: 'c', teams: ['ops'] },
  ]);
  of('account/create')[0]?.refuse(403, 'quota');
  of('account/create')[1]?.refuse(409, 'account_exists');
  await settle();
  expect(texts('dialog li')).toEqual(['Line 2: a, Berg;: quota.']);
  await press('Download 4 not imported');
  expect((await saved.text()).split('\n').slice(1, -1)).toEqual([
    '"quota";a;"Berg;";hr',
    expect.stringMatching(/^"teams.0: .*";b;/),
    expect.stringMatching(/^"username: .*";a;;ops/),
    '"An account with this username exists";c;;ops',
  ]);
  await press('Download report');
  expect((await saved.text()).split('\n')[1]).toBe('"2";"a";"";"Berg;";"quota";""');
  await press('Close');
  expect(dialogs()).toEqual([]);
});

test('an import of a file that cannot be read lists why, and offers nothing to send or to save', async () => {
  await openImport();
  await choose('x.csv', ['Benutzername;Vorname', 'a;b'], 'The file cannot be read.');
  expect(texts('main li')).toEqual([
    'Line 1, column 1: “Benutzername” is not a column of an import.',
    'Line 1, column 2: “Vorname” is not a column of an import.',
    'Line 1: Must name the columns.',
    expect.stringMatching(/^Line 1: The columns of an import are .*user_first_name/),
  ]);
  expect(texts('.card p').at(-1)).toBe('Nothing can be imported: correct the file, and choose it again.');
  expect(texts('.card button')).toEqual([]);
});

test('the report of an import with codes closes only after its download, or a warning', async () => {
  const { of } = await openImport();
  const saved = saving();
  const importOne = async () => {
    await choose('x.jsonl', ['{"username":"a"}'], '1 account, 0 with faults.');
    await start('5');
    of('account/create').at(-1)?.answer({ code: 'CODE' });
    await settle();
  };
  await importOne();
  await press('Close');
  expect([dialogs(), texts('[role=alert]')]).toEqual([
    ['Import'],
    [expect.stringContaining('closing it loses the one-time codes')],
  ]);
  await press('Download report');
  expect([saved.names, all('[role=alert]'), all('button', 'Close all the same')]).toEqual([
    ['import.csv'],
    [],
    [],
  ]);
  await press('Close');
  expect(dialogs()).toEqual([]);
  await importOne();
  await press('Close');
  await press('Close all the same');
  expect(dialogs()).toEqual([]);
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
  const saved = saving();
  await press('Download report');
  expect((await saved.text()).split('\n').slice(0, -1)).toEqual([
    '\ufeff"line","username","user_first_name","user_last_name","outcome","code"',
    '"1","a","","","created","CODE-A"',
    '"2","b","","","existed",""',
    '"3","c","","","quota",""',
    '"4","d","","","created","CODE-D"',
    '"5","e","","","created","CODE"',
    '"6","f","","","created","CODE"',
  ]);
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
  await press('Close all the same');
  await start('5');
  for (const create of creates().slice(4)) create.answer({ code: 'CODE' });
  await settle();
  for (const create of creates().slice(8)) create.answer({ code: 'CODE' });
  await settle();
  expect(keys().slice(4, 8)).toEqual(keys().slice(0, 4));
  expect(new Set(keys()).size).toBe(NAMES.length);
  await press('Close');
  await press('Close all the same');
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
    address: '#import',
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
