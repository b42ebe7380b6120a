import { describe, expect, test } from 'vitest';
import { markdownToHtml } from '#lib/system/markdown';
import { codeOf } from '../support/code-of.ts';

const outcome = (markdown: string) => codeOf(() => markdownToHtml(markdown));

const MAX = 1024 * 1024;

/** A reference to a link target of so many characters, made so often. */
const references = (target: string, times: number, as = '[a]') =>
  `[a]: ${target}\n\n${`${as}\n`.repeat(times)}`;

/** A table of so many columns, of whose rows each has one cell that stands there. */
const table = (columns: number, rows: number) =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${Array(rows).fill('|a').join('\n')}`;

describe('references to a definition', () => {
  test('may repeat a million characters, and not one more', () => {
    expect(outcome(references('x'.repeat(1024), 1024))).toBeUndefined();
    expect(outcome(references('x'.repeat(1024), 1025))).toBe('too_complex');
    expect(outcome(references('x'.repeat(MAX / 512), 512))).toBeUndefined();
    expect(outcome(`${references('x'.repeat(MAX / 512), 512)}\n[b]\n\n[b]: y`)).toBe('too_complex');
  });

  test('count with the title', () => {
    const title = 't'.repeat(24);
    expect(outcome(references(`${'x'.repeat(1000)} "${title}"`, 1024))).toBeUndefined();
    expect(outcome(references(`${'x'.repeat(1000)} "${title}"`, 1025))).toBe('too_complex');
    expect(outcome(references(`${'x'.repeat(1000)} "${title}t"`, 1024))).toBe('too_complex');
  });

  test('count as images alike', () => {
    expect(outcome(references('x'.repeat(1024), 1024, '![a]'))).toBeUndefined();
    expect(outcome(references('x'.repeat(1024), 1025, '![a]'))).toBe('too_complex');
  });

  test('count together over all definitions', () => {
    const half = `${'[a] [b]\n'.repeat(512)}\n[a]: ${'x'.repeat(1024)}\n[b]: ${'y'.repeat(1024)}\n`;
    expect(outcome(half)).toBeUndefined();
    expect(outcome(`[b]\n\n${half}`)).toBe('too_complex');
  });

  test('count for nothing where nothing is defined', () => {
    expect(markdownToHtml('[a] ![b] [c][d] [a]: x')).toBe('<p>[a] ![b] [c][d] [a]: x</p>\n');
  });

  test('are written as what they refer to', () => {
    expect(markdownToHtml('[a] ![a] [x][a]\n\n[a]: /y "t"')).toBe(
      '<p><a href="/y" title="t">a</a> <img src="/y" alt="a" title="t"> <a href="/y" title="t">x</a></p>\n',
    );
  });
});

describe('cells that rows leave out', () => {
  // Each takes 10 characters, so 104,857 fit. Of every row 1,024 are counted and 3 characters stand there.
  const COLUMNS = 1022;
  const counted = (rows: number) => rows * (COLUMNS + 2) - (2 * COLUMNS + 1) - (3 * rows - 1);

  test('may be written for a million characters', () => {
    expect([counted(104), counted(105)]).toEqual([104_140, 105_161]);
    expect(outcome(table(COLUMNS, 104))).toBeUndefined();
    expect(outcome(table(COLUMNS, 105))).toBe('too_complex');
  });

  test('are counted to the cell', () => {
    const more = ' '.repeat(303);
    expect(counted(105) - 304).toBe(104_857);
    expect(outcome(`${table(COLUMNS, 105)}${more} `)).toBeUndefined();
    expect(outcome(`${table(COLUMNS, 105)}${more}`)).toBe('too_complex');
  });

  test('are counted over all tables', () => {
    const one = table(COLUMNS, 60);
    expect(outcome(one)).toBeUndefined();
    expect(outcome(`${one}\n\n${one}`)).toBe('too_complex');
  });

  test('and references count together', () => {
    const links = references('x'.repeat(1024), 512);
    const cells = table(COLUMNS, 60);
    expect(outcome(links)).toBeUndefined();
    expect(outcome(cells)).toBeUndefined();
    expect(outcome(`${links}\n\n${cells}`)).toBe('too_complex');
  });

  test('are not made up for by a table of cells that all stand there', () => {
    const full = `|a|b|\n|-|-|\n${'|xxxxxxxxxx|xxxxxxxxxx|\n'.repeat(5000)}`;
    const cells = table(COLUMNS, 105);
    expect(outcome(full)).toBeUndefined();
    expect(outcome(`${full}\n${cells}`)).toBe('too_complex');
  });

  test.each([
    [
      'rows',
      '|a|b|\n|-|-|\n|1|\n||2|',
      '<tbody><tr>\n<td>1</td>\n<td></td>\n</tr>\n<tr>\n<td></td>\n<td>2</td>\n</tr>\n</tbody>',
    ],
    ['a table without rows', '|a|b|\n|-|-|', '</thead>\n</table>'],
  ])('are none too many in %s', (_name, markdown, html) => {
    expect(markdownToHtml(markdown)).toContain(html);
  });
});

test('every document may expand as far as any other', () => {
  const large = references('x'.repeat(1024), 1024);
  for (let documents = 0; documents < 3; documents++) expect(outcome(large)).toBeUndefined();
});

test('what looks like a table and is none stays as it is', () => {
  expect(markdownToHtml('|a|b|\n|-|\n|1|')).toBe('<p>|a|b|\n|-|\n|1|</p>\n');
});
