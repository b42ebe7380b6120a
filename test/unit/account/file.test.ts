import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOf } from '#infra/admin/import/source';
import { readLines } from '#infra/admin-page/import/file';
import { checkTeams, type Format, formatOf } from '#lib/account/file';
import type { FileLine } from '#lib/account/file/line';
import { csvLine } from '#lib/text/csv';
import { newFolder } from '../support/folder.ts';

const path = join(newFolder(), 'accounts');

/** The lines as the operator command and the administrator's page read them. */
async function read(format: Format, text: string | Buffer) {
  await writeFile(path, text);
  const [lines, inPage]: [FileLine[], FileLine[]] = [[], []];
  for await (const line of recordsOf(path, format)) lines.push(line);
  for await (const line of readLines(`x.${format}`, Buffer.from(text))) inPage.push(line);
  expect(inPage).toEqual(lines);
  return lines.map(({ text: _, head: __, ...line }) => line);
}
const UNKNOWN = 'Is not a property of an account';
const at = (line: number, value: unknown) => ({ line, value });
const fault = (line: number, message: string, field = '') => ({
  line,
  errors: [{ field, message: expect.stringContaining(message) }],
});

test('a file is read as CSV if its name ends so, otherwise as JSON lines', () => {
  const formats = ['a.csv.jsonl', 'accounts', 'x/accounts.csv', 'ACCOUNTS.CSV', 'a.tsv', 'a.txt'].map(
    formatOf,
  );
  expect(formats).toEqual(['jsonl', 'jsonl', 'csv', 'csv', 'csv', 'csv']);
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
    [at(2, { username: 'x, "y"\nz', phonenumber: '1' }), at(4, { username: '2', phonenumber: '3' })],
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
      fault(2, 'as many cells'),
      fault(3, 'as many cells', 'password'),
      at(4, { username: '4', password: '5' }),
    ],
  ],
  [
    'a quote that is not closed or in the middle',
    'username,password\nx,hunter2"\nx,"hunter2',
    [fault(2, 'around a whole cell'), fault(3, 'not closed')],
  ],
  ['semicolons', '"username";user_short\nada;"A;,L"', [at(2, { username: 'ada', user_short: 'A;,L' })]],
  [
    'the truth of spreadsheets, and no row of empty cells',
    '\ufeffusername;lockoutenabled;emailconfirmed\r\nx;TRUE;FALSE\r\n;;\r\ny;False;Wahr\r\n;;\r\n',
    [
      at(2, { username: 'x', lockoutenabled: true, emailconfirmed: false }),
      at(4, { username: 'y', lockoutenabled: false, emailconfirmed: true }),
    ],
  ],
  ['tabs', 'username\troles\nada\tr1 r2', [at(2, { username: 'ada', roles: ['r1', 'r2'] })]],
  [
    'the line by which Excel declares a separator',
    'sep=;\nusername;user_short\nada;A,L',
    [at(3, { username: 'ada', user_short: 'A,L' })],
  ],
  [
    'UTF-16 with its mark',
    Buffer.from('\ufeffusername,user_first_name\r\nx.four,Renée\r\n', 'utf16le'),
    [at(2, { username: 'x.four', user_first_name: 'Renée' })],
  ],
  [
    'UTF-16 of the other byte order, without its mark',
    Buffer.from('username,user_first_name\r\nx.four,Renée', 'utf16le').swap16(),
    [at(2, { username: 'x.four', user_first_name: 'Renée' })],
  ],
  [
    'names of columns as people write them',
    'User name,First Name,Phone number,E-Mail confirmed,Role\nada,Ada,1,true,r',
    [
      at(2, {
        username: 'ada',
        user_first_name: 'Ada',
        phonenumber: '1',
        emailconfirmed: true,
        roles: ['r'],
      }),
    ],
  ],
  [
    'no row of cells with only white space, and no such cell as a value',
    'username,user_first_name,user_last_name\n , ,\nada, ,Ott\n\u00a0,\t,\u3000\n" "," "," "\nbob,Bob,\u2003, ,',
    [at(3, { username: 'ada', user_last_name: 'Ott' }), at(6, { username: 'bob', user_first_name: 'Bob' })],
  ],
  [
    'a password of white space as it is',
    'username,password\nada,  ',
    [at(2, { username: 'ada', password: '  ' })],
  ],
  [
    'names of columns in quotes, with separators and ends of lines within them',
    '"User name","First\r\nname" ,"Role"\r\nada,Ada,r',
    [at(3, { username: 'ada', user_first_name: 'Ada', roles: ['r'] })],
  ],
  [
    'columns without a name, which are empty',
    'USERNAME;First name;;\nada;Ada;;\nbob;Bob;;x\ncy;Cy;;;;',
    [
      at(2, { username: 'ada', user_first_name: 'Ada' }),
      fault(3, 'without a name', 'column 4'),
      at(4, { username: 'cy', user_first_name: 'Cy' }),
    ],
  ],
  [
    'the columns of a download that only the service fills, and the faults of an earlier import',
    'fault,username,lastActivity,created_at,cancelled_at,cancelled_by\nx,ada,1,2,3,4',
    [at(2, { username: 'ada' })],
  ],
])('CSV is read: %s', async (_what, text, expected) => {
  const records = await read('csv', text);
  expect(records).toEqual(expected);
  expect(JSON.stringify(records)).not.toContain('hunter2');
});

const unknown = (...names: string[]) =>
  names.map((name, index) => ({
    field: `column ${index + 1}`,
    message: `“${name}” is not a column of an import`,
  }));

test.each<[string, string, object[]]>([
  ['in another language', '利用者名;名;メール\nx0;Jörg;x0@example.org', unknown('利用者名', '名', 'メール')],
  [
    'by none that it knows, with numbers and signs in several words',
    'Employee #,Hire date (YYYY-MM-DD),Address 1,Salary in €,"Name, as shown"\n1,2,3,4,5',
    unknown('Employee #', 'Hire date (YYYY-MM-DD)', 'Address 1', 'Salary in €', 'Name, as shown'),
  ],
  [
    'in quotes with a separator',
    '"Full name, as shown";username;phone\n"Wolf, Mia";mia.wolf;+49 30 1234',
    unknown('Full name, as shown'),
  ],
  [
    'twice',
    'username,hunter2,Username\nada,1,2',
    [
      { field: 'column 2', message: '“hunter2” is not a column of an import' },
      { field: 'column 3', message: '“Username” sets username, as column 1 does: delete one of them' },
    ],
  ],
  [
    'not at all, without a value of the line',
    'ada,hunter2,2\nbob,hunter2,2',
    [1, 2, 3].map((number) => ({ field: `column ${number}`, message: 'Is not a column of an import' })),
  ],
  ['not at all in an empty line', '\nusername\nada', []],
  ['not at all in an empty file', '', []],
])('CSV that names its columns %s is refused with the columns that there are', async (_how, text, errors) => {
  const [record, ...others] = await read('csv', text);
  expect(others).toEqual([]);
  const isNamed = /\busername[,;]/.test(text);
  expect(record).toEqual({
    line: 1,
    errors: [
      ...errors,
      ...(isNamed ? [] : [{ field: '', message: 'Must name the columns' }]),
      { field: '', message: expect.stringMatching(/ username, phonenumber, .* lock_reason$/) },
    ],
  });
});

test('a fault is on the first line of a row with ends of lines in its cells', async () => {
  const rows = ['mia,"Mia\nMaria",#N/A', 'leo,"a\n\nb"x,1', 'ida,"I\nda",1'];
  const records = await read('csv', ['"user\nname","First\nname",phone', ...rows].join('\n'));
  expect(records.map(({ line }) => line)).toEqual([4, 6, 9]);
});

test.each([
  '4.91712E+11',
  '4,91712E+11',
  '-1E+15',
  '1.2e+08',
  ' 4.91712345678e+11',
  ...['#N/A', '#NAME?', '#DIV/0!', '#REF!', '#VALUE!', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!'],
  ...[
    '#####',
    '##',
    'Err:502',
    '#NV',
    '#WERT!',
    '#BEZUG!',
    '#ZAHL!',
    '#ÜBERLAUF!',
    '#N/D',
    '#NOM?',
    '#VALEUR!',
  ],
  ...[
    '#¡VALOR!',
    '#¿NOMBRE?',
    '#¡DIV/0!',
    '#RIF!',
    '#NOME?',
    '#NÚM!',
    '#N/B',
    '#NAAM?',
    '#WAARDE!',
    '#DEEL/0!',
  ],
  ...[
    '#ARG!',
    '#ADR!',
    '#DZIEL/0!',
    '#N/D!',
    '#I/T',
    '#NAVN?',
    '#VÆRDI!',
    '#SAKNAS!',
    '#Н/Д',
    '#ИМЯ?',
    '#YOK',
  ],
])(
  'a cell %j, which a spreadsheet has destroyed, is at fault in every column but that of reasons',
  async (cell) => {
    const names = [
      'username',
      'phonenumber',
      'user_first_name',
      'teams',
      'isactive',
      'password',
      'lock_reason',
    ];
    const records = await read(
      'csv',
      `${names.join(';')}\n${names.map(() => cell).join(';')}\nida;1;Ida;;;;`,
    );
    expect(records[0]?.errors?.map(({ field }) => field)).toEqual(names.slice(0, -1));
    const message =
      'Is what a spreadsheet left of another value: enter it again in a column that is formatted as text, or save the file as .xlsx';
    expect(records[0]?.errors?.[0]).toEqual({ field: 'username', message });
    expect(records[0]?.value).toEqual({ lock_reason: cell });
    expect(records[1]?.errors).toBeUndefined();
  },
);

test('CSV in Windows-1252 is read', async () => {
  const text = 'username;user_first_name\r\nw0;J\xf6rg\r\nw1;Zo\xeb \x84M\xfcller\x93 \x80\r\n';
  const records = await read('csv', Buffer.from(text, 'latin1'));
  expect(records.map(({ value }) => value?.['user_first_name'])).toEqual(['Jörg', 'Zoë „Müller“ €']);
});

test.each<[string, Format, string]>([
  ['JSON lines in Windows-1252', 'jsonl', '{"username":"w0"}\n\n{"username":"J\xf6rg"}'],
  ['CSV with a byte that Windows-1252 lacks', 'csv', 'username\r\n\r\nJ\xf6rg\x81'],
  ['CSV with a control character', 'csv', 'username\r\n\r\nJ\xf6rg\x07'],
  ['CSV of UTF-8 with a broken letter', 'csv', 'username;M\xc3\xbcller\n\nJ\xf6rg'],
  ['UTF-16 with half a letter', 'csv', '\xff\xfea\0\n\0\n\0\0\xd8'],
])('%s is refused as a whole, with the encoding to save it in', async (_what, format, bytes) => {
  const message =
    'Is not UTF-8. In a spreadsheet, save the file as “CSV UTF-8”; elsewhere, choose the encoding UTF-8';
  expect(await read(format, Buffer.from(bytes, 'latin1'))).toEqual([
    { line: 3, errors: [{ field: '', message }] },
  ]);
});

test.each([
  ['csv', 'username\n\ufffd'],
  ['jsonl', '\n"\ufffd"'],
] as const)('a line of %s with a character that was lost before is at fault', async (format, text) => {
  expect(await read(format, text)).toEqual([fault(2, 'enter it again')]);
});

test('lines keep their text, from any part of a file, and so do those that are not CSV', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `${n};"a${n}\n b";"ü"`);
  const strange = ['x;y"z;tail of the line', '"a\nb";"c"d;tail'];
  const text = ['username;user_first_name;user_last_name', ...rows, ...strange, ...rows, 'q;"open;1'].join(
    '\n',
  );
  await writeFile(path, text.replaceAll('\n', '\r\n'));
  const lines: FileLine[] = [];
  for await (const line of recordsOf(path, 'csv')) lines.push(line);
  const byLine = lines.toSorted((one, two) => one.line - two.line).map((line) => line.text);
  expect(byLine).toEqual([...rows, ...strange, ...rows, 'q;"open;1']);
  expect(lines.at(-1)?.line).toBe(1 + 2 * 6000 + 4);
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
