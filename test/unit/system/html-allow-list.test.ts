import { describe, expect, test } from 'vitest';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';
import { dangers } from './html-reader.ts';
import { VECTORS } from './xss-vectors.ts';

const preview = (markdown: string) => sanitiseHtml(markdownToHtml(markdown));

describe('the check of the tests finds', () => {
  test.each([
    '<script>',
    '<p onclick="x">',
    '<p style="x">',
    '<a href="javascript:x">',
    '<a href="jav&#x09;ascript&colon;x">',
    '<a href="&#1;data:text/html,x">',
    '<img src="data:image/svg+xml,x">',
    '<input type="text" disabled="">',
    '<input type="checkbox">',
    '<iframe src="x">',
  ])('%s', (html) => {
    expect(dangers(html)).not.toEqual([]);
  });

  test.each(['<p onclick=x>', '<p', '<!-- x -->', '<p/title="x">', '<P>', "<p title='x'>", '<p title="<">'])(
    'that %s is not written plainly',
    (html) => {
      expect(() => dangers(html)).toThrow('Not a plain tag');
    },
  );
});

describe('nothing dangerous survives', () => {
  test.each(VECTORS)('%j', (vector) => {
    expect(dangers(preview(vector))).toEqual([]);
    expect(dangers(sanitiseHtml(vector))).toEqual([]);
  });

  test('however fragments of attacks are put together', () => {
    const random = seeded(20_261_120);
    const fragments = [
      ...VECTORS,
      ...VECTORS.flatMap((vector) => vector.split(/(?=[<>"'=\s/])/)),
      '\n\n',
      '\n',
      ' ',
      '> ',
    ];
    const pick = () => fragments[Math.floor(random() * fragments.length)] as string;
    for (let round = 0; round < 6000; round++) {
      const markdown = Array.from({ length: 1 + Math.floor(random() * 12) }, pick).join('');
      expect(dangers(preview(markdown)), markdown).toEqual([]);
      expect(dangers(sanitiseHtml(markdown)), markdown).toEqual([]);
    }
  });
});

/** Mulberry32: the same numbers in every run. */
function seeded(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('what is harmless stays', () => {
  test.each([
    '<a href="https://example.com/?a=1&amp;b=2#c" title="t">x</a>',
    '<a href="HTTP://example.com">x</a>',
    '<a href="mailto:ada@example.com">x</a>',
    '<a href="tel:+431234">x</a>',
    '<a href="//example.com/x">x</a>',
    '<a href="/a:b">x</a>',
    '<a href="?a=b:c">x</a>',
    '<a href="#top:1">x</a>',
    '<a href="../a/b.md">x</a>',
    '<a href="R&amp;D.md">x</a>',
    '<img src="https://example.com/x.png" alt="x" width="10" height="20">',
    '<img src="x.png">',
    '<img src="data:image/png;base64,AA">',
    '<p align="center">x</p>',
    '<details open=""><summary>x</summary>y</details>',
    '<kbd>Ctrl</kbd><sub>2</sub><sup>3</sup><mark>x</mark>',
    '<td align="right" colspan="2" rowspan="3">x</td>',
    '<ol start="5"><li>x</li></ol>',
    '1 &lt; 2 &amp;&amp; 3 &gt; 2 "quoted"',
  ])('%s', (html) => {
    expect(sanitiseHtml(html)).toBe(html);
  });

  test('a link keeps its text where it loses its address', () => {
    expect(sanitiseHtml('<a href="javascript:alert(1)">text</a>')).toBe('<a>text</a>');
  });

  test('an element that is not allowed loses its tags and keeps its text, but for scripts and styles', () => {
    expect(sanitiseHtml('<form><button>text</button></form>')).toBe('text');
    expect(sanitiseHtml('a<script>alert(1)</script>b<style>p{}</style>c')).toBe('abc');
  });
});
