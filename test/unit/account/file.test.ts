import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOf } from '#infra/admin/import/source';
import { checkTeams, type FileLine, type Format, formatOf } from '#lib/account/file';
import { readLines } from '#lib/admin-page/page/import-file';
import { csvLine } from '#lib/text/csv';
import { newFolder } from '../support/folder.ts';

const path = join(newFolder(), 'accounts');

/** The lines as the operator command and the administrator's page read them. */
async function read(format: Format, text: string | Buffer) {
  await writeFile(path, text);
  const [lines, inPage]: [FileLine[], FileLine[]] = [[], []];
  for await (const line of recordsOf(path, format)) lines.push(line);
  for await (const line of readLines(`x.${format}`, text.toString())) inPage.push(line);
  expect(inPage).toEqual(lines);
  return lines;
}
const UNKNOWN = 'Is unknown or repeated';
const at = (line: number, value: unknown) => ({ line, value });
const fault = (line: number, message: string, field = '') => ({
  line,
  errors: [{ field, message: expect.stringContaining(message) }],
});

test('a file is read as CSV if its name ends so, otherwise as JSON lines', () => {
  const formats = ['a.csv.jsonl', 'accounts', 'x/accounts.csv', 'ACCOUNTS.CSV'].map(formatOf);
  expect(formats).toEqual(['jsonl', 'jsonl', 'csv', 'csv']);
});

test.each([
  [
    'lines of either end, blank ones and the last without an end',
    '{"apps":1}\r\n \n{"roles":2}\n{"teams":3}',
    [at(1, { apps: 1 }), at(3, { roles: 2 }), at(4, { teams: 3 })],
  ],
  ['a byte order mark', '\ufeff{"apps":1}', [at(1, { apps: 1 })]],
  ['no other such mark', '{"apps":"\ufeff"}\n\ufeff{}', [at(1, { apps: '\ufeff' }), fault(2, 'column 1')]],
  ['nothing', '', []],
  ['what is no JSON, and go on', '{"apps":\n{"roles":2}', [fault(1, 'Must be JSON'), at(2, { roles: 2 })]],
  ['what is wrong in the middle', '{"a" 1}', [fault(1, 'see column 6')]],
  ['a value without quotes', '{"password": hunter2, "x": "hunter2"}', [fault(1, 'see column 14')]],
  ['a value that goes on', '{} x', [fault(1, 'see column 4')]],
  ['a value that ends early', '{"password": tru', [fault(1, 'see column 17')]],
  ['a name twice', '{"hunter2":1,"hunter2":2}', [fault(1, 'must not be repeated')]],
  ['a name in properties twice', '{"a":{"hunter2":1,"hunter2":2}}', [fault(1, 'must not be repeated')]],
  ['what is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), [fault(1, 'UTF-8')]],
  ['what is no object', '"hunter2"\n[]\n1e400', [1, 2, 3].map((line) => fault(line, 'Must be an object'))],
  [
    'an unknown name',
    '{"stamp":1,"username":"ada","hunter2":1}',
    [{ line: 1, errors: ['property 1', 'property 3'].map((field) => ({ field, message: UNKNOWN })) }],
  ],
])('JSON lines are read: %s', async (_what, text, expected) => {
  const records = await read('jsonl', text);
  expect(records).toEqual(expected);
  expect(JSON.stringify(records)).not.toContain('hunter2');
});

test('JSON lines keep numbers that no double holds', async () => {
  const [record] = await read('jsonl', '{"user_properties":12345678901234567890}');
  expect(JSON.stringify(record?.value)).toBe('{"user_properties":12345678901234567890}');
});

test.each([
  [
    'cells by their columns, and none where it is empty',
    'username , user_short\r\nada,AL\r\n\r\nbob,\r\n',
    [at(2, { username: 'ada', user_short: 'AL' }), at(4, { username: 'bob' })],
  ],
  ['a byte order mark', '\ufeffusername\nada', [at(2, { username: 'ada' })]],
  [
    'quotes, commas and ends of lines in a cell',
    'username,phonenumber\n"x, ""y""\nz",1\n2,3\n',
    [at(3, { username: 'x, "y"\nz', phonenumber: '1' }), at(4, { username: '2', phonenumber: '3' })],
  ],
  [
    'lists by spaces, and truth',
    'roles,teams,lockoutenabled,isactive\n r1  r2,t,false,true',
    [at(2, { roles: ['r1', 'r2'], teams: ['t'], lockoutenabled: false, isactive: true })],
  ],
  [
    'properties as JSON',
    'user_properties\n"{""root"":{""a"":1}}"',
    [at(2, { user_properties: { root: { a: 1 } } })],
  ],
  [
    'what is neither true nor false as it is',
    'islocked\nuntrue\ntruey;',
    [at(2, { islocked: 'untrue' }), at(3, { islocked: 'truey;' })],
  ],
  [
    'properties that are none, or have a name twice',
    'user_properties\n{\n"{""hunter2"":1,""hunter2"":2}"',
    [fault(2, 'Must be JSON', 'user_properties'), fault(3, 'repeated', 'user_properties')],
  ],
  [
    'too many cells and too few, and go on',
    'username,password\nada,hunter2,3\nhunter2\n4,5',
    [
      at(4, { username: '4', password: '5' }),
      fault(2, 'as many cells'),
      fault(3, 'as many cells', 'password'),
    ],
  ],
  [
    'a quote that is not closed or in the middle',
    'username,password\nx,hunter2"\nx,"hunter2',
    [fault(2, 'QUOTE', 'password'), fault(3, 'QUOTE_NOT_CLOSED', 'password')],
  ],
  ['what is no UTF-8', Buffer.from('username,user_short\n\xff,x', 'latin1'), [fault(2, 'UTF-8')]],
  ['semicolons', '"username";user_short\nada;"A;,L"', [at(2, { username: 'ada', user_short: 'A;,L' })]],
  [
    'a first line that names no columns, or one of them twice',
    'username,hunter2,username\nada,1,2',
    [{ line: 1, errors: ['column 2', 'column 3'].map((field) => ({ field, message: UNKNOWN })) }],
  ],
  ['an empty first line', '\nusername\nada', [fault(1, 'Is unknown', 'column 1')]],
  ['nothing', '', [fault(1, 'Is unknown', 'column 1')]],
])('CSV is read: %s', async (_what, text, expected) => {
  const records = await read('csv', text);
  expect(records).toEqual(expected);
  expect(JSON.stringify(records)).not.toContain('hunter2');
});

test('CSV keeps the values of a download, and passwords as they are', async () => {
  const value = {
    username: "x;'=1",
    user_short: "'=1+1",
    user_first_name: "'t",
    phonenumber: '+39 06 555',
    user_properties: { root: { a: 'x', '=b': [1, -2] } },
    roles: ['=r'],
  };
  const row = csvLine(Object.values({ ...value, roles: value.roles.join(' ') }));
  const password = "'=1";
  const text = `${csvLine([...Object.keys(value), 'password'])}${row.trimEnd()},"${password}"\n`;
  expect(await read('csv', text)).toEqual([at(2, { ...value, password })]);
});

test('checkTeams names the first team that does not exist', () => {
  const check = (...teams: string[]) => checkTeams(teams, new Set(['ops']));
  check('ops', 'OPS');
  for (const [teams, field] of [
    [['x', 'ops'], 'teams.0'],
    [['ops', 'x', 'y'], 'teams.1'],
  ] as const) {
    const errors = [{ field, message: 'Must be the short name of a team' }];
    expect(() => check(...teams)).toThrow(expect.objectContaining({ errors }));
  }
});

test('a CSV file with an unknown column is opened once', async () => {
  await writeFile(path, 'hunter2\n');
  const records = recordsOf(path, 'csv');
  expect(await records.next()).toMatchObject({ value: { line: 1 } });
  rmSync(path);
  expect(await records.next()).toMatchObject({ done: true });
});
