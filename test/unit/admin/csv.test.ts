import { expect, test } from 'vitest';
import { csvText } from '../../../infra/admin/output.ts';

test.each<[object[], string]>([
  [
    [
      { a: 1, b: null },
      { a: 'x "y", z', c: ['p'] },
    ],
    '"a","b","c"\n"1","",""\n"x ""y"", z","","[""p""]"\n',
  ],
  [[], ''],
  // A spreadsheet calculates formulas.
  [[{ a: '=1' }, { a: '@A' }, { a: '+1|x' }, { a: '-x' }], `"a"\n"'=1"\n"'@A"\n"'+1|x"\n"'-x"\n`],
  [[{ a: '＝1' }, { a: '＠A' }, { a: '＋1|x' }, { a: '－x' }], `"a"\n"'＝1"\n"'＠A"\n"'＋1|x"\n"'－x"\n`],
  [
    [{ a: '+49 (30) 1-2' }, { a: 'a=-b' }, { a: 'b\n\u202e' }],
    '"a"\n"+49 (30) 1-2"\n"a=-b"\n"b\\u000a\\u202e"\n',
  ],
])('csvText writes %j with a header, and keeps texts harmless', (records, expected) => {
  expect(csvText(records)).toBe(expected);
});

test('csvText writes more records than a call has arguments', () => {
  expect(csvText(Array(200_000).fill({ a: 1 }))).toHaveLength('"a"\n'.length * 200_001);
});
