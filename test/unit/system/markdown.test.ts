import { expect, test } from 'vitest';
import { markdownToHtml } from '#lib/system/markdown';
import { codeOf } from '../support/code-of.ts';

const MAX = 1024 * 1024;

/** A reference to a link target of 1,024 characters, repeated. */
const references = (times: number, target = 'x'.repeat(1024), as = '[a]') =>
  `[a]: ${target}\n\n${`${as}\n`.repeat(times)}`;

const half = `${'[a] [b]\n'.repeat(512)}\n[a]: ${'x'.repeat(1024)}\n[b]: ${'y'.repeat(1024)}\n`;
const titled = `${'x'.repeat(1000)} "${'t'.repeat(24)}"`;

/** A table whose rows have one cell each. */
const table = (columns: number, rows: number) =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${Array(rows).fill('|a').join('\n')}`;

// A missing cell costs 10 characters, so 104,857 fit. Of each row 1,024 are counted, less its 3 characters.
const COLUMNS = 1022;
const cells = table(COLUMNS, 60);
const fullTable = `|a|b|\n|-|-|\n${'|xxxxxxxxxx|xxxxxxxxxx|\n'.repeat(5000)}`;

/** The counted part, a document at the limit of a million characters, and one beyond it. */
const LIMITS: [counted: string, renders: string, refused: string][] = [
  ['each reference', references(1024), references(1025)],
  ['the target length', references(512, 'x'.repeat(MAX / 512)), references(512, 'x'.repeat(MAX / 512 + 1))],
  ['the length of the title', references(1024, titled), references(1024, titled.replace('"', '"t'))],
  ['each reference of an image', references(1024, undefined, '![a]'), references(1025, undefined, '![a]')],
  ['references over all definitions', half, `[b]\n\n${half}`],
  ['rows', table(COLUMNS, 104), table(COLUMNS, 105)],
  ['missing cells', `${table(COLUMNS, 105)}${' '.repeat(304)}`, `${table(COLUMNS, 105)}${' '.repeat(303)}`],
  ['missing cells over all tables', cells, `${cells}\n\n${cells}`],
  ['missing cells, and none for full tables', fullTable, `${fullTable}\n${table(COLUMNS, 105)}`],
  ['references and missing cells together', references(512), `${references(512)}\n\n${cells}`],
];

test.each(LIMITS)('rendering counts %s up to a million characters', (_name, renders, refused) => {
  expect(codeOf(() => markdownToHtml(renders))).toBeUndefined();
  expect(codeOf(() => markdownToHtml(refused))).toBe('too_complex');
});

const ROWS = '<tbody><tr>\n<td>1</td>\n<td></td>\n</tr>\n<tr>\n<td></td>\n<td>2</td>\n</tr>\n</tbody>';

test.each([
  ['missing cells', '|a|b|\n|-|-|\n|1|\n||2|', ROWS],
  ['a table without rows', '|a|b|\n|-|-|', '</thead>\n</table>'],
  ['a text that only looks like a table', '|a|b|\n|-|\n|1|', '<p>|a|b|\n|-|\n|1|</p>\n'],
  ['the replacement character for NUL', 'a\0b `\0`', '<p>a\ufffdb <code>\ufffd</code></p>'],
  ['references without a definition', '[a] ![b] [c][d] [a]: x', '<p>[a] ![b] [c][d] [a]: x</p>\n'],
  [
    'references with their targets',
    '[a] ![a] [x][a]\n\n[a]: /y "t"',
    '<p><a href="/y" title="t">a</a> <img src="/y" alt="a" title="t"> <a href="/y" title="t">x</a></p>\n',
  ],
])('rendering writes %s', (_name, markdown, html) => {
  expect(markdownToHtml(markdown)).toContain(html);
});
