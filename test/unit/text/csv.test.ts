import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, withoutGuards } from '#lib/text/csv';

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

test.each(['+39 06 555', '-12', 'a=-b', "'tis", 'x;y'])('csvLine keeps %j as it is', (value) => {
  expect(csvLine([value])).toBe(`"${value}"\n`);
});

test('withoutGuards restores every value that csvLine writes, also one that begins with an apostrophe', () => {
  const part = fc.constantFrom("'", '=', '+', '-', '＠', ',', ';', '|', ' ', '"', 'x', '39');
  fc.assert(
    fc.property(fc.string({ unit: part }), (value) => {
      const [[cell]] = parse(csvLine([value])) as [[string]];
      expect(withoutGuards(cell)).toBe(value);
    }),
    { numRuns: 1000 },
  );
});
