import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordsOf } from '#infra/admin/import/source';
import { readLines } from '#infra/admin-page/import/file';
import { formatOf } from '#lib/account/file';
import type { FileLine } from '#lib/account/file/line';
import { withoutControls } from '#lib/text/control-characters';
import { cellText } from '#lib/text/csv';
import { DESTROYED } from '#lib/text/destroyed';
import { MAX_BYTES, sheetRows, workbook } from '#lib/text/workbook';
import { CONVERTED } from '../support/converted.ts';
import { newFolder } from '../support/folder.ts';
import { workbookParts, zip } from '../support/zip.ts';

const path = join(newFolder(), 'people.xlsx');

/** The lines of a workbook as the operator command and the page read them. */
async function read(bytes: Uint8Array, name = path) {
  await writeFile(path, bytes);
  const [lines, inPage]: [FileLine[], FileLine[]] = [[], []];
  for await (const line of recordsOf(path, 'xlsx')) lines.push(line);
  for await (const line of readLines(name, bytes as Uint8Array<ArrayBuffer>)) inPage.push(line);
  expect(inPage).toEqual(lines);
  return lines.map(({ text: _, head: __, ...line }) => line);
}

const bytesOf = async (rows: readonly (readonly unknown[])[]) =>
  new Uint8Array(
    await new Response(
      workbook(
        rows.map((row) => row.map(cellText)),
        rows[0]?.length ?? 0,
      ),
    ).arrayBuffer(),
  );

const fault = (message: string) => [
  { line: 1, errors: [{ field: '', message: expect.stringContaining(message) }] },
];

test('a file is read as a workbook if its name ends so, also one that no longer is', () => {
  const names = ['a.xlsx', 'A.XLSX', 'a.xlsm', 'a.xls', 'a.xlsb', 'a.ods', 'a.numbers', 'a.xlsx.csv', 'xlsx'];
  expect(names.map(formatOf)).toEqual([...Array(7).fill('xlsx'), 'csv', 'jsonl']);
});

test('a workbook keeps every text, and nothing in it is guarded', async () => {
  const text = fc.oneof(
    fc.constantFrom(...CONVERTED, "'=1", "''1", "'t Hooft", '_x0041_', '=1+1', ' a ', ''),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 20 }), async (given) => {
      const rows = given.map((row) => row.map(withoutControls));
      const cells: string[][] = [];
      for await (const row of sheetRows(await bytesOf([['a', 'b'], ...rows])))
        cells[row.line - 1] = [...row.cells];
      expect(rows.map((row, index) => row.map((_, column) => cells[index + 1]?.[column] ?? ''))).toEqual(
        rows,
      );
    }),
    { numRuns: 50 },
  );
});

test('a workbook has cells of text only, also for numbers, truth values and lists', async () => {
  const rows = [
    ['a', 'b', 'c', 'd'],
    [1, true, ['x'], null],
  ];
  const all: (readonly string[])[] = [];
  for await (const { cells } of sheetRows(await bytesOf(rows))) all.push(cells);
  expect(all).toEqual([
    ['a', 'b', 'c', 'd'],
    ['1', 'true', '["x"]', ''],
  ]);
});

test('the accounts of a workbook are read as those of CSV, without a look for guards', async () => {
  const rows = [
    ['User name', 'First name', 'Phone', 'Roles', 'Lockout enabled', 'id'],
    ['ada', 'Ada', '+491712345678', 'r1 r2', 'false', 'x'],
    ['', '', '', '', '', ''],
    ['00042', "'1", '0171', '', 'WAHR', ''],
  ];
  expect(await read(await bytesOf(rows))).toEqual([
    {
      line: 2,
      value: {
        username: 'ada',
        user_first_name: 'Ada',
        phonenumber: '+491712345678',
        roles: ['r1', 'r2'],
        lockoutenabled: false,
      },
    },
    {
      line: 4,
      value: { username: '00042', user_first_name: "'1", phonenumber: '0171', lockoutenabled: true },
    },
  ]);
});

test('cells are read as spreadsheets write them: shared, in line, in runs, as numbers, dates, truth values and formulas', async () => {
  const shared =
    '<si><t>username</t></si><si><t>First name</t></si><si><r><t>A</t></r><r><rPr><b/></rPr><t xml:space="preserve">da </t></r></si>';
  const parts = workbookParts(
    `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="inlineStr"><is><t>last name</t></is></c><c r="D2" t="str"><f>"pho"&amp;"ne"</f><v>phone</v></c><c r="E2" t="inlineStr"><is><t>Lockout enabled</t></is></c></row>
     <row r="3" hidden="1"><c r="A3"><v>42</v></c><c r="B3" t="s"><v>2</v></c><c r="C3" s="1"><v>45353</v></c><c r="D3"><f>1</f><v>491712345678</v></c><c r="E3" t="b"><v>0</v></c></row>
     <row r="5"><c r="A5" t="inlineStr"><is><r><t>b</t></r><r><t>ob</t></r></is></c><c r="E5" t="b"><v>1</v></c></row>
     <row r="6"><c r="G6"/></row>`,
    shared,
  );
  const ada = {
    username: '42',
    user_first_name: 'Ada ',
    user_last_name: '2024-03-02',
    phonenumber: '491712345678',
  };
  expect(await read(zip(parts))).toEqual([
    { line: 3, value: { ...ada, lockoutenabled: false } },
    { line: 5, value: { username: 'bob', lockoutenabled: true } },
  ]);
});

test('cells with an error, and numbers that have lost digits, are at fault', async () => {
  const name = (column: string, text: string) =>
    `<c r="${column}1" t="inlineStr"><is><t>${text}</t></is></c>`;
  const parts = workbookParts(
    `<row r="1">${name('A', 'username')}${name('B', 'phone')}${name('C', 'First name')}</row>
     <row r="2"><c r="A2" t="e"><v>#N/A</v></c><c r="B2"><v>1.23456789012345E+15</v></c><c r="C2" t="e"><v>#REF!</v></c></row>`,
  );
  const fields = ['username', 'phonenumber', 'user_first_name'];
  expect(await read(zip(parts))).toEqual([
    { line: 2, value: {}, errors: fields.map((field) => ({ field, message: DESTROYED })) },
  ]);
});

test('a template of Entra ID may keep the row of its version, and rows may have more and fewer cells', async () => {
  const rows = [
    ['version:v1.0', ''],
    ['User name [userPrincipalName] Required', 'First name [givenName]'],
    ['a', 'A', ' '],
    ['b'],
    ['c', 'C', 'x'],
  ];
  expect(await read(await bytesOf(rows))).toEqual([
    { line: 3, value: { username: 'a', user_first_name: 'A' } },
    { line: 4, value: { username: 'b' } },
    {
      line: 5,
      errors: [{ field: '', message: 'Must have as many cells as the line that names the columns' }],
    },
  ]);
});

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const valid = () =>
  zip(workbookParts('<row r="1"><c r="A1" t="inlineStr"><is><t>username</t></is></c></row>'));

test.each<[string, () => Uint8Array, string]>([
  [
    'of Excel 97, or with a password',
    () => Buffer.concat([OLE, Buffer.alloc(600)]),
    'with a password or of an older format (.xls): open it',
  ],
  [
    'of CSV',
    () => Buffer.from('username\nada'),
    'no workbook of the format .xlsx: open it in a spreadsheet, and save it as',
  ],
  [
    'of OpenDocument',
    () => zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    'no workbook of the format .xlsx',
  ],
  [
    'of Numbers',
    () => zip({ 'Index/Document.iwa': 'x', 'Metadata/Properties.plist': 'x' }),
    'no workbook of the format .xlsx',
  ],
  ['of nothing', () => new Uint8Array(), 'no workbook of the format .xlsx'],
  ['that ends early', () => valid().subarray(0, 900), 'damaged or incomplete'],
  ['that is damaged', () => valid().fill(0, 100, 400), 'damaged or incomplete'],
  [
    'without its sheet',
    () => zip({ ...workbookParts(''), 'xl/workbook.xml': '<workbook/>' }),
    'Must name the columns',
  ],
  [
    'without a row',
    () => zip(workbookParts('')),
    'Must name the columns in the first row of the first sheet',
  ],
  [
    'whose parts are too large',
    () => zip(workbookParts(''), MAX_BYTES / 4),
    'more than 256 MB without compression',
  ],
  ['that hides the sizes of its parts', () => zip(workbookParts(''), 0), 'more than 256 MB'],
  [
    'that declares too small sizes',
    () => zip(workbookParts(' '.repeat(2 ** 24)), 2 ** 12),
    'damaged or incomplete',
  ],
])('a file %s is refused with what to do', async (_, bytes, message) => {
  expect(await read(bytes())).toEqual(fault(message));
});

test('unknown columns of a workbook are named as those of CSV', async () => {
  const [line] = await read(
    await bytesOf([
      ['username', 'Org Unit Path [Required]'],
      ['a', '/'],
    ]),
  );
  expect(line).toMatchObject({
    line: 1,
    errors: [{ field: 'column 2', message: '“Org Unit Path [Required]” is not a column of an import' }, {}],
  });
});
