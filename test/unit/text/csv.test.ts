import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutControls } from '#lib/text/control-characters';
import { csvLine, SEPARATORS, withoutGuards } from '#lib/text/csv';
import { CONVERTED } from '../support/converted.ts';

const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;

/** The cells of a line in spreadsheets: each of these separates cells in some language or dialog. */
const cellsOf = (line: string) =>
  [',', ';', '\t', '|'].flatMap((delimiter) =>
    // Quotes that do not match the separator are part of a cell; some programs know no quotes at all.
    [{ relax_quotes: true }, { quote: false }].flatMap((options) =>
      parse(line, { delimiter, relax_column_count: true, ...options }).flat(),
    ),
  );

test.each([
  'x;=1+1;y',
  'x\t=1+1',
  'x\r\n=1+1',
  'x|@SUM(A1)',
  '=1+1',
  ' =1+1',
  '＝1+1',
  '-2+3',
  'x;+cmd',
  'x; -1',
  'x;"=1+1',
  'a,=HYPERLINK("https://example.com")',
  ['x', '=1;=2'],
])('csvLine writes no formula for any separator when a value is %j', (value) => {
  // The second cell begins within quotes of a spreadsheet with another separator.
  expect(cellsOf(csvLine([value, value])).filter((cell) => FORMULA.test(cell))).toEqual([]);
});

test.each(CONVERTED)('csvLine guards %j, which a spreadsheet would convert', (value) => {
  expect(csvLine([value])).toBe(`"'${value}"\n`);
  expect(csvLine([`'${value}`])).toBe(`"''${value}"\n`);
  expect(withoutGuards(`'${value}`)).toBe(value);
});

test('csvLine writes numbers and truth values that are no texts as they are', () => {
  expect(csvLine([1, -2.5, true, false, null])).toBe('"1","-2.5","true","false",""\n');
});

test.each([
  ...[
    '+39 06 555',
    '+49 (30) 1-2',
    '+49(30)12',
    '-',
    'a=-b',
    "'tis",
    "'t Hooft",
    'x;y',
    'ada1',
    'ada.lovelace',
    'A1',
  ],
  ...[
    'May',
    'März',
    'markus1',
    'maria2',
    'FIN1',
    'Anna',
    'v1.2',
    'Q1',
    '2024-01-02T03:04:05.678Z',
    '5 apples',
    'Vera',
  ],
  ...[
    '12345678-1234-1234-1234-123456789012',
    '1234567e-1234-1234-1234-123456789012',
    '#1A2B3C',
    'user@1',
    '',
    '.',
    '5_5',
  ],
])('csvLine keeps %j as it is', (value) => {
  expect([csvLine([value]), withoutGuards(value)]).toEqual([`"${value}"\n`, value]);
});

test('withoutGuards restores every value that csvLine writes, also one that begins with an apostrophe', () => {
  const part = fc.constantFrom(
    ...[
      "'",
      '=',
      '+',
      '-',
      '＠',
      ',',
      ';',
      '|',
      ' ',
      '"',
      'x',
      '39',
      '.',
      '/',
      ':',
      '%',
      '(',
      ')',
      '€',
      'E',
      '’',
      '\u00a0',
    ],
    ...['Mar', 'true', 'WAHR', 'PM', '年', '0', '１'],
  );
  const text = fc.oneof(fc.string({ unit: part, maxLength: 8 }), fc.constantFrom(...CONVERTED), fc.string());
  fc.assert(
    fc.property(text, fc.constantFrom('comma', 'semicolon', 'tab'), (given, separator) => {
      const value = withoutControls(given);
      const [[cell]] = parse(csvLine([value], separator), { delimiter: SEPARATORS[separator] }) as [[string]];
      expect(withoutGuards(cell)).toBe(value);
    }),
    { numRuns: 5000 },
  );
});
