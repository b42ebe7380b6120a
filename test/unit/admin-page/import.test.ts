import { afterEach, expect, test, vi } from 'vitest';
import { COLUMNS } from '#infra/admin-page/import/columns';
import { readHead } from '#lib/account/file/head';
import { workbook } from '#lib/text/workbook';
import type { Language } from '../../../lib/admin-page/languages.ts';
import { type Answers, all, field, fill, openPage, press, settle, texts } from './opened.ts';

/** Opens the import, with teams on two pages and accounts that exist. */
async function openImport(
  existing: readonly object[] = [],
  answers: Answers = {},
  language: Language = 'en',
) {
  const opened = await openPage({
    address: '#import',
    language,
    answers: {
      'team/browse': ({ query }) =>
        query['cursor']
          ? { items: [{ team_short: 'HR' }] }
          : { items: [{ team_short: 'ops' }], next_cursor: 'p2' },
      'account/browse': () => ({ items: existing, stats: { count: existing.length } }),
      ...answers,
    },
  });
  await vi.dynamicImportSettled();
  await settle();
  return opened;
}

type Opened = Awaited<ReturnType<typeof openImport>>;

const creates = ({ of }: Opened) => of('account/create');
const keys = (opened: Opened) => creates(opened).map(({ headers }) => headers.get('idempotency-key'));

const statuses = () => texts('main section [role=status]').join(' ').trim();

/** Chooses a file, and waits until it is checked. */
async function choose(
  name: string,
  content: readonly string[] | Uint8Array<ArrayBuffer>,
  expected: string,
  label = 'File',
) {
  const input = field(label);
  const part = content instanceof Uint8Array ? content : content.join('\n');
  Object.defineProperty(input, 'files', { configurable: true, value: [new File([part], name)] });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  await expect.poll(statuses).toContain(expected);
  await settle();
}

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const FILE = NAMES.map((username) => JSON.stringify({ username }));

async function start(number: number, hours = '8') {
  await fill({ 'The code ends after': hours });
  await press(`Import ${number} ${number === 1 ? 'person' : 'people'}`);
}

/** Chooses the six people, and starts their import. */
async function startSix() {
  const opened = await openImport();
  await choose('x.jsonl', FILE, '6 rows, none with faults.');
  await start(6);
  return opened;
}

/** Answers the requests that have no answer yet. */
async function answerAll(opened: Opened, from = 0) {
  for (let [next, end] = [from, 0]; next < creates(opened).length; next = end) {
    end = creates(opened).length;
    for (const create of creates(opened).slice(next, end))
      create.answer({ code: `CODE-${create.body.username}`, code_expires_at: '2026-11-27T09:30:00Z' });
    await settle();
  }
}

test('an import of an administrator has to be confirmed by itself', async () => {
  const opened = await openImport();
  const bo = JSON.stringify({ username: 'bo', roles: ['sys_administrator'] });
  await choose('x.jsonl', [bo, ...FILE], '7 rows, none with faults.');
  expect(texts('label.check').join()).toMatch(/^Yes, make bo an administrator/);
  await start(7);
  expect(creates(opened)).toEqual([]);
  all('label.check input')[0]?.click();
  await start(7);
  expect(creates(opened).map(({ body }) => body.username)).toContain('bo');
});

const heading = () => texts('h1').join();
const progress = () => texts('.progress strong').join();
const cells = (selector = 'tbody tr') =>
  all(selector).map((row) => [...row.children].map(({ textContent }) => textContent));

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

/** Whether the browser prompts before it leaves the page. */
const isWarned = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
])('the template has the columns and one row with a %s, which an import refuses', async (name, separator) => {
  await openImport();
  const saved = saving();
  field('Format').value = name;
  await press('Download template');
  const text = await saved.text();
  const [head = '', row, ...rest] = text.split('\n');
  expect([saved.names, rest]).toEqual([['import-template.csv'], ['']]);
  expect(head.replaceAll('"', '').split(separator)).toEqual([
    '\ufeffUsername',
    'First name',
    'Last name',
    'Roles',
    'Teams',
    'Phone number',
  ]);
  expect(row).toContain(`"example.person"${separator}"Anna"`);
  await choose('import-template.csv', [text.slice(1)], '1 row: 0 can be imported, 1 has faults.');
  expect(cells()[0]?.[1]).toBe('example.personIs the example of the template: delete this row');
  expect(all('button', 'Import 0 people')).toEqual([]);
});

test('the page explains each column by a name that an import reads, and says that one is required', async () => {
  await openImport();
  // Those that the template lacks are folded, after the others.
  const explained = [true, false].flatMap((is) =>
    COLUMNS.filter(({ example }) => (example !== undefined) === is).map(({ label }) => label),
  );
  const [first, ...others] = explained;
  expect(texts('dt')).toEqual([`${first} (required)`, ...others]);
  const { columns, errors } = readHead(COLUMNS.map(({ label }) => label));
  expect([columns, errors]).toEqual([COLUMNS.map(({ name }) => name), []]);
});

test('the preview shows each row as it will be, with the faults in their cells', async () => {
  await openImport();
  const file = [
    'Username;Last name;Role;email confirmed;Color;password',
    'anna;" Keller";editor  reviewer;WAHR;;',
    'an na;=x;;;red;secret',
    'bob',
  ];
  await choose('people.csv', file, '3 rows: 1 can be imported, 2 have faults.');
  expect(texts('thead th')).toEqual([
    'Line',
    'Username',
    'Last name',
    'Roles',
    'Color',
    'Email confirmed',
    'password',
  ]);
  const [anna, wrong, short] = cells();
  expect(anna).toEqual(['2', 'anna', ' Keller', 'editor, reviewer', '', 'Yes', '']);
  expect(wrong).toEqual([
    '3',
    expect.stringMatching(/^an na.+/),
    '=x',
    '',
    'redMust be a colour such as #1A2B3C',
    '',
    'Only the operator command can import this field',
  ]);
  expect(short?.[2]).toBe('Must have as many cells as the line that names the columns');
  expect(document.body.textContent).not.toContain('secret');
});

test('the preview shows ten rows and then more, of all rows or of those with faults', async () => {
  await openImport();
  const lines = Array.from({ length: 150 }, (_, index) => (index < 60 ? `u${index}` : `u u${index}`));
  await choose('x.csv', ['username', ...lines], '150 rows: 60 can be imported, 90 have faults.');
  expect([all('tbody tr').length, statuses()]).toEqual([10, expect.stringContaining('1 to 10 of 150')]);
  await press('Show more');
  expect(all('tbody tr')).toHaveLength(60);
  await press('With faults 90');
  expect([all('tbody tr').length, cells()[0]?.[0]]).toEqual([10, '62']);
  for (const _ of [1, 2]) await press('Show more');
  expect([all('tbody tr').length, all('button', 'Show more')]).toEqual([90, []]);
});

test('an import creates the accounts without faults, and saves the other lines with their faults', async () => {
  const opened = await openImport();
  const saved = saving();
  const file = ['username;user_last_name;teams', 'a;"Berg;";hr', 'b;Ötz;none', 'a;;ops', 'c;;ops\n'];
  await choose('people.csv', file, '4 rows: 2 can be imported, 2 have faults.');
  await press('Download 2 rows with faults');
  expect([saved.names, await saved.text()]).toEqual([
    ['people-faults.csv'],
    '\ufefffault;username;user_last_name;teams\n' +
      '"Teams: Must be the short name of a team";b;Ötz;none\n' +
      '"Username: Repeats line 2";a;;ops\n',
  ]);
  await start(2, '');
  expect(creates(opened).map(({ body }) => body)).toEqual([
    { username: 'a', user_last_name: 'Berg;', teams: ['hr'] },
    { username: 'c', teams: ['ops'] },
  ]);
  creates(opened)[0]?.refuse(400, 'invalid_request', [{ field: 'user_last_name', message: 'Is odd' }]);
  creates(opened)[1]?.refuse(409, 'account_exists');
  await settle();
  expect([heading(), ...texts('main h2')]).toEqual([
    'Import finished',
    '0 people imported',
    '4 people not imported',
  ]);
  await press('Download 4 not imported');
  expect((await saved.text()).split('\n').slice(1, -1)).toEqual([
    '"Last name: Is odd";a;"Berg;";hr',
    expect.stringMatching(/^"Teams: .*";b;/),
    expect.stringMatching(/^"Username: .*";a;;ops/),
    '"An account with this username exists: it stays as it is";c;;ops',
  ]);
  await press('Download list');
  expect((await saved.text()).split('\n')[1]).toBe(
    '"2";"a";"";"Berg;";"refused: Last name: Is odd";"";"";""',
  );
  await press('Close the import');
  expect(heading()).toBe('Import people');
});

test('an import of a file that cannot be read lists why, and offers nothing to send or to save', async () => {
  await openImport();
  await choose('x.csv', ['Employee #;Hire date', 'a;b'], 'The file cannot be read');
  expect(texts('main li')).toEqual([
    'column 1: “Employee #” is not a column of an import.',
    'column 2: “Hire date” is not a column of an import.',
  ]);
  expect(all('main button').map(({ textContent }) => textContent)).toEqual([
    'Download template',
    'Discard the file',
  ]);
});

test('an import reads a workbook, and saves its rows with faults as CSV', async () => {
  await openImport();
  expect(field('File').accept.split(',')).toContain('.xlsx');
  const rows = [
    ['Username', 'Vorname', 'Phone'],
    ['00042', '=1', '+491712345678'],
    ['b', '#N/A', ''],
  ];
  const bytes = new Uint8Array(await new Response(workbook(rows, 3)).arrayBuffer());
  await choose('people.xlsx', bytes, '2 rows: 1 can be imported, 1 has faults.');
  expect(cells()[0]).toEqual(['2', '00042', '=1', '+491712345678']);
  const saved = saving();
  await press('Download 1 row with faults');
  expect(saved.names).toEqual(['people-faults.csv']);
  expect(await saved.text()).toMatch(
    /^\ufefffault,"Username","Vorname","Phone"\n"First name: .*","b","#N\/A",""\n$/,
  );
  await choose('people.xls', ['x'], 'The file cannot be read');
  expect(texts('main li')).toEqual([expect.stringContaining('save it as “Excel workbook (.xlsx)”')]);
});

test('an import reads Windows-1252, and asks to check its letters', async () => {
  await openImport();
  await choose('x.csv', latin1('username;first name\na;J\xfcrg'), '1 row, none with faults.');
  expect([cells()[0], texts('.warn')]).toEqual([
    ['2', 'a', 'Jürg'],
    [expect.stringContaining('Check letters such as ü')],
  ]);
  await choose('x.csv', latin1('username;first name\na;J\xfcrg\x81'), 'The file cannot be read');
  expect(texts('main li')).toEqual([expect.stringMatching(/^Line 2: Is not UTF-8\./)]);
});

test('an import names each missing team once, and creates them', async () => {
  const teams = [{ team_short: 'ops' }];
  const opened = await openImport([], { 'team/browse': () => ({ items: teams }) });
  const rows = ['a;ops sales', 'b;Sales', 'c;R&D', 'd;legal', 'e;ops'];
  await choose('x.csv', ['username;teams', ...rows], '5 rows: 1 can be imported, 4 have faults.');
  expect(texts('main ul li')).toEqual(['sales (2 people)', 'legal (1 person)']);
  await fill({ 'Name of sales': 'Sales and service' });
  await press('Create 2 teams');
  teams.push({ team_short: 'sales' }, { team_short: 'legal' });
  for (const index of [0, 1]) {
    opened.of('team/create')[index]?.answer({});
    await settle();
  }
  expect(opened.of('team/create').map(({ path, body }) => [path, body])).toEqual([
    ['team/create/sales', { name: 'Sales and service', type: 'department' }],
    ['team/create/legal', { name: 'legal', type: 'department' }],
  ]);
  await expect.poll(statuses).toContain('5 rows: 4 can be imported, 1 has faults.');
});

const accountOf = (username: string, rest: object = {}) => ({
  username,
  created_at: '2026-11-26T09:00:00Z',
  ...rest,
});

test('people who exist are seen before the start, and not sent', async () => {
  const opened = await openImport([accountOf('b'), accountOf('C'), accountOf('z')]);
  await choose('x.jsonl', FILE, '6 rows, none with faults. 2 people exist and stay as they are.');
  await press('Exist 2');
  expect(cells()).toEqual([
    ['2Exists: stays as it is', 'b'],
    ['3Exists: stays as it is', 'c'],
  ]);
  await start(4);
  expect(creates(opened).map(({ body }) => body.username)).toEqual(['a', 'd', 'e', 'f']);
  expect(new Set(creates(opened).map(({ headers }) => headers.get('x-batch'))).size).toBe(1);
  expect(creates(opened)[0]?.headers.get('x-batch-size')).toBe('4');
});

test('a few people are looked up one by one in a large directory', async () => {
  const opened = await openPage({
    address: '#import',
    answers: {
      'team/browse': () => ({ items: [] }),
      'account/browse': ({ query }) => ({
        items: query['username'] === 'b' ? [accountOf('b')] : [],
        stats: { count: 1_000_000 },
        ...(!query['username'] && { next_cursor: 'more' }),
      }),
    },
  });
  await choose('x.jsonl', FILE, '6 rows, none with faults. One person exists and stays as they are.');
  expect(opened.of('account/browse')).toHaveLength(1 + NAMES.length);
});

test('a file chosen again continues its import, and shows only codes that still work', async () => {
  const existing: object[] = [];
  const opened = await openImport(existing);
  await choose('x.jsonl', FILE, '6 rows, none with faults.');
  await start(6);
  await answerAll(opened);
  const batch = creates(opened)[0]?.headers.get('x-batch');
  await press('Close the import');
  await press('Close all the same');
  const ends = '2026-11-27T09:30:00Z';
  existing.push(
    accountOf('a', { password_set: false, code_expires_at: ends }),
    accountOf('b', { password_set: true, code_expires_at: null }),
    accountOf('c', { password_set: false, code_expires_at: '2026-11-28T00:00:00Z' }),
  );
  await choose('x.jsonl', FILE, '3 people exist and stay as they are.');
  expect(texts('main section p').join()).toMatch(/You imported this file today .+ in this browser/);
  const before = creates(opened).length;
  await press('Continue with 6 people');
  await answerAll(opened, before);
  expect(creates(opened).at(-1)?.headers.get('x-batch')).toBe(batch);
  expect(keys(opened).slice(before)).toEqual(keys(opened).slice(0, before));
  expect(cells().map(([, name, code]) => [name, code])).toEqual([
    ['a', 'CODE-a'],
    ['b', expect.stringContaining('its code was used or has ended')],
    ['c', expect.stringContaining('its code was used or has ended')],
    ['d', 'CODE-d'],
    ['e', 'CODE-e'],
    ['f', 'CODE-f'],
  ]);
});

test('a chosen file outlasts other screens and a reload until it is discarded', async () => {
  await openImport();
  await choose('x.jsonl', FILE, '6 rows, none with faults.');
  await press('People');
  await press('Import');
  await expect.poll(statuses).toContain('6 rows, none with faults.');
  await openImport();
  await expect.poll(statuses).toContain('6 rows, none with faults.');
  await press('Discard the file');
  expect(all('h2', '3. Check the rows')).toEqual([]);
  await openImport();
  expect(all('h2', '3. Check the rows')).toEqual([]);
});

test('a file with passwords is not kept over a reload', async () => {
  await openImport();
  await choose('x.csv', ['username;password', 'a;secret'], '1 row: 0 can be imported, 1 has faults.');
  await settle();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('import file');
});

test('the import speaks German', async () => {
  await openImport([], {}, 'de');
  await choose('x.csv', ['username;teams', 'a;ops', 'a;ops', 'b;hr;x'], '3 Zeilen: 1 können', 'Datei');
  expect([texts('h1'), texts('h2'), texts('main .fault').filter(Boolean)]).toEqual([
    ['Personen importieren'],
    ['1. Datei vorbereiten', '2. Datei wählen', '3. Zeilen prüfen'],
    ['Wiederholt Zeile 2', expect.stringContaining('Muss so viele Zellen haben')],
  ]);
  expect(all('button', '1 Person importieren')).toHaveLength(1);
});

test('an import creates each account of a file, four at a time, and counts the answers', async () => {
  const opened = await startSix();
  expect([creates(opened).length, heading(), progress()]).toEqual([4, 'Importing people', '0 of 6 people']);
  expect(document.activeElement).toBe(all('h1')[0]);
  creates(opened)[0]?.answer({ code: 'CODE-A' });
  creates(opened)[1]?.refuse(409, 'account_exists');
  await settle();
  expect([creates(opened).length, progress()]).toEqual([6, '2 of 6 people']);
  await answerAll(opened, 2);
  expect(creates(opened).map(({ body }) => body)).toEqual(
    NAMES.map((username) => ({ username, invite_hours: 8 })),
  );
  expect([heading(), ...texts('main h2')]).toEqual([
    'Import finished',
    '5 people imported',
    '1 person not imported',
  ]);
});

test('the codes of an import are shown with names, copied and saved', async () => {
  const opened = await openImport();
  await choose(
    'x.csv',
    ['username;first name;last name', 'a;Ada;Byron', 'b;=1+1;"Q ""x"""'],
    '2 rows, none with faults.',
  );
  await start(2);
  await answerAll(opened);
  expect(cells()).toEqual([
    ['Ada Byron', 'a', 'CODE-a'],
    ['=1+1 Q "x"', 'b', 'CODE-b'],
  ]);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press('Copy codes');
  expect(write.mock.lastCall?.[0]).toBe('Ada Byron\ta\tCODE-a\n"\'=1+1 Q ""x"""\tb\tCODE-b');
  const saved = saving();
  expect(field('Format').value).toBe('semicolon');
  await press('Download codes');
  const address = new URL('/api/core/admin#code?username=a', location.href).href;
  expect((await saved.text()).split('\n').slice(0, 2)).toEqual([
    '\ufeff"line";"username";"user_first_name";"user_last_name";"outcome";"code";"code_expires_at";"address"',
    `"2";"a";"Ada";"Byron";"created";"CODE-a";"2026-11-27T09:30:00Z";"${address}"`,
  ]);
});

test.each([['Copy codes'], ['Download codes']])(
  'an import closes without a warning after %s, and otherwise only after one',
  async (taking) => {
    const opened = await openImport();
    saving();
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    for (const isTaken of [true, false]) {
      const before = creates(opened).length;
      await choose('x.jsonl', ['{"username":"a"}'], '1 row, none with faults.');
      await start(1);
      await answerAll(opened, before);
      expect(isWarned()).toBe(true);
      if (isTaken) await press(taking);
      expect(isWarned()).toBe(!isTaken);
      await press('Close the import');
      if (!isTaken) {
        expect(texts('[role=alert]')).toEqual([expect.stringContaining('closing the import loses them')]);
        await press('Close all the same');
      }
      expect(heading()).toBe('Import people');
    }
    expect(isWarned()).toBe(false);
  },
);

test('an import goes on and keeps its codes on other screens, which say so', async () => {
  const opened = await startSix();
  await press('People');
  expect([texts('.ongoing [role=status]'), texts('.ongoing .faint')]).toEqual([
    ['The import of x.jsonl goes on while this tab stays open.'],
    ['0 of 6'],
  ]);
  expect(isWarned()).toBe(true);
  await answerAll(opened);
  expect(texts('.ongoing [role=status]')).toEqual([
    'The import of x.jsonl is finished. Its one-time codes are kept until you close it.',
  ]);
  await press('Show');
  expect(cells().map(([, , code]) => code)).toEqual(NAMES.map((name) => `CODE-${name}`));
  expect(all('.ongoing')).toEqual([]);
});

test('a stopped import awaits what was sent, and resumes with the first row that was not', async () => {
  const opened = await startSix();
  await press('Stop');
  expect(statuses()).toBe('Waiting for the answers of the rows that were sent.');
  await answerAll(opened);
  expect([creates(opened).length, heading(), progress()]).toEqual([4, 'Import stopped', '4 of 6 people']);
  expect(creates(opened).map(({ signal }) => signal.aborted)).toEqual(Array(4).fill(false));
  expect(texts('h2')).toEqual(['4 people imported']);
  await press('Resume');
  expect([heading(), creates(opened).length]).toEqual(['Importing people', 6]);
  await answerAll(opened, 4);
  expect([heading(), texts('h2')]).toEqual(['Import finished', ['6 people imported']]);
  expect(new Set(keys(opened)).size).toBe(NAMES.length);
});

test('a busy service makes all requests of an import wait until the time that it names', async () => {
  const opened = await startSix();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const [first, second, ...others] = creates(opened);
  const busy = (seconds: string) => ({ 'retry-after': seconds });
  first?.refuse(429, 'too_many_requests', [], busy('30'));
  second?.refuse(503, undefined, [], busy('20'));
  await settle();
  expect(statuses()).toMatch(/^The service is busy. The import goes on by itself at .+/);
  for (const other of others) other.answer({ code: 'CODE' });
  await settle();
  await vi.advanceTimersByTimeAsync(29_000);
  await settle();
  expect([creates(opened).length, progress()]).toEqual([4, '2 of 6 people']);
  await vi.advanceTimersByTimeAsync(1_000);
  await settle();
  expect([creates(opened).length, statuses()]).toEqual([8, '']);
  expect(keys(opened).slice(4, 6)).toEqual(expect.arrayContaining(keys(opened).slice(0, 2)));
  await answerAll(opened, 4);
  expect([heading(), texts('h2')]).toEqual(['Import finished', ['6 people imported']]);
});

test('an import without an answer waits longer each time, and stops at once while it waits', async () => {
  const opened = await openImport();
  await choose('x.jsonl', ['{"username":"a"}'], '1 row, none with faults.');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  await start(1);
  for (const [index, seconds] of [1, 2, 4].entries()) {
    creates(opened)[index]?.refuse(504);
    await settle();
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    await settle();
    expect(creates(opened)).toHaveLength(index + 1);
    await vi.advanceTimersByTimeAsync(1);
    await settle();
    expect(creates(opened)).toHaveLength(index + 2);
  }
  creates(opened)[3]?.refuse(504);
  await settle();
  await press('Stop');
  expect([heading(), progress()]).toEqual(['Import stopped', '0 of 1 people']);
  await press('Resume');
  expect(new Set(keys(opened)).size).toBe(1);
  await answerAll(opened, 4);
  expect(heading()).toBe('Import finished');
});

test('an import stops, and says why, when the service refuses the person who imports', async () => {
  const opened = await startSix();
  const [first, ...others] = creates(opened);
  first?.refuse(403, 'quota');
  await settle();
  for (const other of others) other.answer({ code: 'CODE' });
  await settle();
  expect([heading(), progress(), all('main .error').length]).toEqual(['Import stopped', '3 of 6 people', 1]);
  await press('Resume');
  await answerAll(opened, 4);
  expect([heading(), all('main .error')]).toEqual(['Import finished', []]);
});

test('the keys of an import depend on the file, the hours and a secret of this browser', async () => {
  const opened = await openImport();
  const keyOf = async (text: string, hours = '') => {
    await choose('x.jsonl', [text], '1 row, none with faults.');
    await start(1, hours);
    creates(opened).at(-1)?.answer({});
    await settle();
    await press('Close the import');
    return keys(opened).at(-1);
  };
  const one = '{"username":"a"}';
  const some = [await keyOf(one), await keyOf(`${one} `), await keyOf(one, '8')];
  const again = await keyOf(one);
  localStorage.clear();
  expect(new Set([...some, await keyOf(one)]).size).toBe(4);
  expect(again).toBe(some[0]);
});

test('a file that cannot be checked leaves no earlier file to import', async () => {
  let isBroken = false;
  const { of } = await openPage({
    address: '#import',
    answers: {
      'team/browse': () => (isBroken ? undefined : { items: [] }),
      'account/browse': () => ({ items: [], stats: { count: 0 } }),
    },
  });
  await choose('x.jsonl', FILE, '6 rows, none with faults.');
  isBroken = true;
  const before = of('team/browse').length;
  const input = field('File');
  Object.defineProperty(input, 'files', { configurable: true, value: [new File(['{}'], 'y.jsonl')] });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.poll(() => of('team/browse').length).toBe(before + 1);
  expect(all('button', 'Import 6 people')).toEqual([]);
  of('team/browse').at(-1)?.refuse(403, 'quota');
  await expect.poll(() => all('[role=alert]').length).toBe(1);
  expect(all('button', 'Import 6 people')).toEqual([]);
});
