import { expect, test } from 'vitest';
import { Answer } from '#lib/contract/answer';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';
import { MAX_MS, previewOf } from '#lib/system/preview';
import { codeOf } from '../support/code-of.ts';

const KIB = 1024;

/** Longer than a busy machine takes. */
const PATIENT_MS = 60_000;

const htmlOf = (markdown: string) => (previewOf(markdown, {}, PATIENT_MS) as Answer).data as string;

const TABLE =
  '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n' +
  '<tbody><tr>\n<td align="left">1</td>\n<td align="right">2</td>\n</tr>\n</tbody></table>\n';
const TASKS =
  '<ul>\n<li><input disabled="" type="checkbox"> a</li>\n' +
  '<li><input checked="" disabled="" type="checkbox"> b</li>\n</ul>\n';

const alert = (kind: string, title: string, html: string) =>
  `<div class="markdown-alert markdown-alert-${kind}">\n<p class="markdown-alert-title">${title}</p>\n${html}</div>\n`;

test.each([
  ['headings', '# A\n\nB\n---', '<h1 id="user-content-a">A</h1>\n<h2 id="user-content-b">B</h2>\n'],
  [
    'two headings of one text',
    '# Größe & `x`\n# Größe & `x`',
    '<h1 id="user-content-größe--x">Größe &amp; <code>x</code></h1>\n<h1 id="user-content-größe--x-1">Größe &amp; <code>x</code></h1>\n',
  ],
  [
    'a table of contents',
    '[down](#part-two)\n\n## Part two',
    '<p><a href="#user-content-part-two">down</a></p>\n<h2 id="user-content-part-two">Part two</h2>\n',
  ],
  ['an alert', '> [!NOTE]\n> a **b**', alert('note', 'Note', '<p>a <strong>b</strong></p>\n')],
  ['an alert around a list', '> [!WARNING]\n> - a', alert('warning', 'Warning', '<ul>\n<li>a</li>\n</ul>\n')],
  ['a quote that is no alert', '> [!NEWS]\n> a', '<blockquote>\n<p>[!NEWS]\na</p>\n</blockquote>\n'],
  ['a heading after a byte order mark', '\ufeff# A', '<h1 id="user-content-a">A</h1>\n'],
  ['a definition after a byte order mark', '\ufeff[a]: /x\n\n[a]', '<p><a href="/x">a</a></p>\n'],
  ['no heading after a no-break space', '#\u00a0a', '<p>#&nbsp;a</p>\n'],
  ['a paragraph with a number sign', 'a\n#\u3000b\nc', '<p>a\n#\u3000b\nc</p>\n'],
  ['a direction', '<div dir="rtl">\n\nمرحبا\n\n</div>', '<div dir="rtl"><p>مرحبا</p>\n</div>'],
  [
    'an address of XMPP',
    'xmpp:ada@example.com',
    '<p><a href="xmpp:ada@example.com">xmpp:ada@example.com</a></p>\n',
  ],
  ['code of C++', '```c++\n1\n```', '<pre><code class="language-c++">1\n</code></pre>\n'],
  ['an ordered list', '3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n'],
  ['a task list', '- [ ] a\n- [x] b', TASKS],
  ['a table', '|a|b|\n|:-|-:|\n|1|2|', TABLE],
  ['a rule and a break', 'a  \nb\n\n***', '<p>a<br>b</p>\n<hr>\n'],
  ['an address', 'https://a.example', '<p><a href="https://a.example">https://a.example</a></p>\n'],
  ['a name', 'www.example.com', '<p><a href="http://www.example.com">www.example.com</a></p>\n'],
  ['a mail address', 'ada@example.com', '<p><a href="mailto:ada@example.com">ada@example.com</a></p>\n'],
  ['a relative link', '[x](a/b.md "t")', '<p><a href="a/b.md" title="t">x</a></p>\n'],
  ['an image', '![x](y.png)', '<p><img src="y.png" alt="x"></p>\n'],
  ['special characters', 'a < b & c > "d"', '<p>a &lt; b &amp; c &gt; "d"</p>\n'],
  ['nothing', '', ''],
  ['unsafe HTML', '<b onclick="x">b</b><script>c</script> [d](javascript:e)', '<p><b>b</b> <a>d</a></p>\n'],
])('a preview renders %s', (_name, markdown, html) => {
  expect(htmlOf(markdown)).toBe(html);
});

test.each([
  ...[undefined, '', '*/*', 'text/html', 'image/png', 'application/json;q=0.5, text/html'],
  ...['text/html, application/json', 'text/*;q=0.2, application/json;q=0.1'],
  ...['text/html;q=0, application/json;q=0', 'text/html; charset=utf-8, application/json;q=0.9'],
])('the answer is a page when the client accepts %s', (accept) => {
  const page = new Answer('<p>a</p>\n', { type: 'text/html; charset=utf-8' });
  expect(previewOf('a', { accept }, PATIENT_MS)).toEqual(page);
});

test.each([
  ...['application/json', 'application/*', 'application/json, text/html;q=0', 'application/json, */*;q=0'],
  ...['application/json, text/html;q=0.5', 'application/json, text/plain, */*'],
  'application/json;charset=UTF-8',
])('the answer is JSON when the client accepts %s', (accept) => {
  expect(previewOf('a', { accept }, PATIENT_MS)).toEqual({ html: '<p>a</p>\n' });
});

test('ten previews a second keep fewer than ten execution environments busy', () => {
  expect(10 * MAX_MS).toBeLessThan(10_000);
});

test.each([
  ['takes half a minute', '_a__'.repeat(50 * KIB), undefined],
  ['overflows the stack', '>'.repeat(20 * KIB), PATIENT_MS],
  [
    'becomes larger than an answer of Lambda',
    `\`\`\`\n${'<'.repeat(1_000_000)}${'"'.repeat(1_000_000)}\n\`\`\``,
    PATIENT_MS,
  ],
])('a text is refused, and the next one rendered, when it %s', (_name, markdown, maxMs) => {
  expect(codeOf(() => previewOf(markdown, {}, maxMs))).toBe('too_complex');
  expect(htmlOf('> *a* `b`')).toBe('<blockquote>\n<p><em>a</em> <code>b</code></p>\n</blockquote>\n');
});

// JSON in JSON, as in the answer of a function, writes a control character in 7 bytes.
const controls = '\u0001'.repeat(857_137);
const code = (text: string) => `\`\`\`\n${controls}${text}\n\`\`\``;

test.each(['xxxxx', 'xxxä'])('an answer may have 6,000,000 bytes and no more: with %s', (rest) => {
  const html = htmlOf(code(rest));
  expect(Buffer.byteLength(JSON.stringify(JSON.stringify(html)))).toBe(6_000_000);
  for (const accept of [undefined, 'application/json'])
    expect(codeOf(() => previewOf(code(`${rest}x`), { accept }, PATIENT_MS))).toBe('too_complex');
});

const PROSE = 'Lorem ipsum dolor sit amet, consectetur.\n';

test.each([
  ['1 MiB of prose', PROSE.repeat(25_000)],
  ['300 KiB of markup', 'Lorem *ipsum* dolor `sit` [amet](x.md).\n\n'.repeat(7500)],
  ['100 KiB of special characters', '<'.repeat(100 * KIB)],
])('a text that is merely large is rendered: %s', (_name, markdown) => {
  expect(sanitiseHtml(markdownToHtml(markdown)).length).toBeGreaterThan(100_000);
});

test('100 KiB of prose are rendered within the time of the processor', () => {
  const { user, system } = process.threadCpuUsage();
  expect(htmlOf(PROSE.repeat(2500))).toHaveLength(102_507);
  const after = process.threadCpuUsage({ user, system });
  expect((after.user + after.system) / 1000).toBeLessThan(MAX_MS);
});
