import { describe, expect, test } from 'vitest';
import { Answer } from '#lib/contract/answer';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';
import { MAX_MS, previewOf } from '#lib/system/preview';
import { codeOf } from '../support/code-of.ts';

const KIB = 1024;

const htmlOf = (markdown: string) => (previewOf(markdown, {}) as Answer).data as string;

describe('GitHub-flavoured Markdown becomes HTML', () => {
  test.each([
    ['headings', '# A\n\nB\n---', '<h1>A</h1>\n<h2>B</h2>\n'],
    ['emphasis', '*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>\n'],
    ['a code block', '```ts\na < b\n```', '<pre><code class="language-ts">a &lt; b\n</code></pre>\n'],
    ['a language with signs', '```c++\n1\n```', '<pre><code class="language-c++">1\n</code></pre>\n'],
    ['an ordered list', '3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n'],
    [
      'a task list',
      '- [ ] a\n- [x] b',
      '<ul>\n<li><input disabled="" type="checkbox"> a</li>\n<li><input checked="" disabled="" type="checkbox"> b</li>\n</ul>\n',
    ],
    [
      'a table',
      '|a|b|c|\n|:-|:-:|-:|\n|1|2|3|',
      '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="center">b</th>\n<th align="right">c</th>\n</tr>\n</thead>\n<tbody><tr>\n<td align="left">1</td>\n<td align="center">2</td>\n<td align="right">3</td>\n</tr>\n</tbody></table>\n',
    ],
    ['a quotation', '> a', '<blockquote>\n<p>a</p>\n</blockquote>\n'],
    ['a rule and a break', 'a  \nb\n\n***', '<p>a<br>b</p>\n<hr>\n'],
    ['an address', 'https://example.com', '<p><a href="https://example.com">https://example.com</a></p>\n'],
    ['a name', 'www.example.com', '<p><a href="http://www.example.com">www.example.com</a></p>\n'],
    ['a mail address', 'ada@example.com', '<p><a href="mailto:ada@example.com">ada@example.com</a></p>\n'],
    ['a relative link', '[x](a/b.md "t")', '<p><a href="a/b.md" title="t">x</a></p>\n'],
    ['an anchor', '[x](#top)', '<p><a href="#top">x</a></p>\n'],
    ['a reference', '[x][r]\n\n[r]: /y', '<p><a href="/y">x</a></p>\n'],
    ['an image', '![x](y.png)', '<p><img src="y.png" alt="x"></p>\n'],
    ['signs of HTML in text', 'a < b & c > "d"', '<p>a &lt; b &amp; c &gt; &quot;d&quot;</p>\n'],
    ['nothing', '', ''],
  ])('%s', (_name, markdown, html) => {
    expect(htmlOf(markdown)).toBe(html);
  });
});

describe('the answer', () => {
  test.each([
    undefined,
    '*/*',
    'text/html',
    'application/json;q=0.5, text/html',
    'text/html, application/json',
    'image/png',
    'text/*;q=0.2, application/json;q=0.1',
    'text/html;q=0, application/json;q=0',
    '',
  ])('is a page for %s', (accept) => {
    expect(previewOf('a', { accept })).toEqual(
      new Answer('<p>a</p>\n', { type: 'text/html; charset=utf-8' }),
    );
  });

  test.each([
    'application/json',
    'application/*',
    'application/json, text/html;q=0',
    'application/json, text/html;q=0.5',
    'application/json, text/plain, */*',
    'application/json, */*;q=0',
  ])('is JSON for %s', (accept) => {
    expect(previewOf('a', { accept })).toEqual({ html: '<p>a</p>\n' });
  });
});

test('the HTML is sanitised', () => {
  expect(htmlOf('a <b onclick="x">b</b><script>c</script> [d](javascript:e)')).toBe(
    '<p>a <b>b</b> <a>d</a></p>\n',
  );
});

describe('what would take too long, nest too deep or grow too large is refused', () => {
  const table = (columns: number, rows: number) =>
    `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'a|\n'.repeat(rows)}`;

  test('so soon that ten a second keep fewer than ten execution environments busy', () => {
    expect(10 * MAX_MS).toBeLessThan(10_000);
  });

  test('by the clock: emphasis that would take half a minute', () => {
    expect(codeOf(() => previewOf('_a__'.repeat(50 * KIB), {}))).toBe('too_complex');
    expect(htmlOf('*a* ~~b~~ [c](d) `e`')).toBe(
      '<p><em>a</em> <del>b</del> <a href="d">c</a> <code>e</code></p>\n',
    );
  });

  test.each([
    ['quotations that overflow the stack', '>'.repeat(200 * KIB)],
    ['an answer that Lambda could not send', 'a@b.c '.repeat(170 * KIB)],
  ])('%s', (_name, markdown) => {
    expect(codeOf(() => previewOf(markdown, {}))).toBe('too_complex');
    expect(htmlOf('> a')).toBe('<blockquote>\n<p>a</p>\n</blockquote>\n');
  });

  test.each([
    ['a table of a few long and many short rows', table(1000, 10_000)],
    ['many tables of that kind', `${table(100, 100)}\n`.repeat(200)],
    [
      'a long address that is referred to often',
      `[a]: <${'x'.repeat(100 * KIB)}>\n\n${'[a]\n'.repeat(100 * KIB)}`,
    ],
    [
      'a long title that is referred to often',
      `[a]: x "${'x'.repeat(100 * KIB)}"\n\n${'![a]\n'.repeat(100 * KIB)}`,
    ],
  ])('before memory runs out, without a clock: %s', (_name, markdown) => {
    expect(codeOf(() => markdownToHtml(markdown))).toBe('too_complex');
    expect(codeOf(() => previewOf(markdown, {}))).toBe('too_complex');
  });

  // JSON writes each of these in 7 bytes where a text of JSON stands in JSON, as in the answer of a function.
  const controls = '\u0001'.repeat(857_137);

  test.each([
    ['characters of one byte', 'xxxxx'],
    ['characters of two bytes', 'xxxä'],
  ])('an answer of more than 6,000,000 bytes, with what JSON makes of it: %s', (_name, rest) => {
    const code = (text: string) => `\`\`\`\n${controls}${text}\n\`\`\``;
    const html = htmlOf(code(rest));
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(html)))).toBe(6_000_000);
    expect(codeOf(() => previewOf(code(`${rest}x`), {}))).toBe('too_complex');
    expect(codeOf(() => previewOf(code(`${rest}x`), { accept: 'application/json' }))).toBe('too_complex');
  });
});

describe('what is merely large is rendered', () => {
  test.each([
    ['1 MiB of prose', 'Lorem ipsum dolor sit amet, consectetur.\n'.repeat(25_000)],
    ['300 KiB of markup', 'Lorem *ipsum* dolor `sit` [amet](x.md).\n\n'.repeat(7500)],
    [
      'a table of 20,000 cells',
      `|${'a|'.repeat(20)}\n|${'-|'.repeat(20)}\n${`|${'a|'.repeat(20)}\n`.repeat(1000)}`,
    ],
    ['100 KiB of signs of HTML', '<'.repeat(100 * KIB)],
    [
      'an embedded image of 500 kB, referred to once',
      `![a][b]\n\n[b]: <data:image/png;base64,${'A'.repeat(500_000)}>`,
    ],
  ])('%s', (_name, markdown) => {
    expect(sanitiseHtml(markdownToHtml(markdown)).length).toBeGreaterThan(100_000);
  });

  test('100 KiB of prose, within the time', () => {
    expect(htmlOf('Lorem ipsum dolor sit amet, consectetur.\n'.repeat(2500))).toHaveLength(102_507);
  });
});
