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

describe('of the elements that are allowed', () => {
  const PLAIN = 'b br em i s small span strike strong sub sup tt u wbr'.split(' ');
  const BLOCKS =
    'blockquote cite dd del dfn dl dt figcaption figure ins kbd li mark pre q samp summary ul var'.split(' ');
  const ALIGNED = 'caption div h1 h2 h3 h4 h5 h6 hr p table tbody tfoot thead tr'.split(' ');
  const OTHERS: Record<string, string[]> = {
    a: ['href', 'title'],
    abbr: ['title'],
    code: ['class'],
    details: ['open'],
    img: ['src', 'alt', 'title', 'width', 'height', 'align'],
    ol: ['start'],
    td: ['align', 'colspan', 'rowspan'],
    th: ['align', 'colspan', 'rowspan'],
  };
  const ALLOWED: [string, string[]][] = [
    ...[...PLAIN, ...BLOCKS].map((name): [string, string[]] => [name, []]),
    ...ALIGNED.map((name): [string, string[]] => [name, ['align']]),
    ...Object.entries(OTHERS),
  ];
  const ATTRIBUTES = [
    ...'align alt class colspan height href open rowspan src start title width'.split(' '),
    ...'action checked data disabled for id name onclick srcset style target type value xmlns'.split(' '),
  ];

  test.each(ALLOWED)('<%s> keeps %j, and loses every other attribute', (name, kept) => {
    const written = (names: readonly string[]) =>
      `<${[name, ...names.map((attribute) => `${attribute}="language-1"`)].join(' ')}>x</${name}>`;
    const inOrder = ATTRIBUTES.filter((attribute) => kept.includes(attribute));
    // What is no language is an address as well: a relative one.
    const addresses = (html: string) => html.replace(/(href|src)="[^"]*"/g, '$1="/x"');
    expect(inOrder).toHaveLength(kept.length);
    expect(sanitiseHtml(addresses(written(ATTRIBUTES)))).toBe(addresses(written(inOrder)));
  });

  test.each(
    'form button select textarea iframe object embed svg math video audio link meta base title template'.split(
      ' ',
    ),
  )('<%s> is none', (name) => {
    expect(sanitiseHtml(`a<${name} align="left">b</${name}>c`)).toBe('abc');
  });
});

describe('a tag is written anew', () => {
  test.each([
    ['<BR/><br /><br>', '<br /><br /><br>'],
    ['<IMG SRC=x.png ALT=y>', '<img src="x.png" alt="y">'],
    ['<a title=\'a"b<c>d"\'>x</a>', '<a title="a&quot;b&lt;c&gt;d&quot;">x</a>'],
    ["<a title='<<>>' href='/x?a=\"\"'>x</a>", '<a title="&lt;&lt;&gt;&gt;" href="/x?a=&quot;&quot;">x</a>'],
    ['<details open>x</details>', '<details open="">x</details>'],
    ['<a href=" /x ">x</a>', '<a href="/x">x</a>'],
    ['a<!-- b -->c', 'ac'],
    ['a <', 'a &lt;'],
  ])('%s as %s', (html, written) => {
    expect(sanitiseHtml(html)).toBe(written);
  });
});

describe('an address', () => {
  const hrefs = [
    'http:x',
    'https:x',
    'ftp:x',
    'MAILTO:x',
    'tel:x',
    '',
    'x',
    'x/y:z',
    'x?y:z',
    'x#y:z',
    'a&amp;b/c:d',
  ];
  const noHrefs = [
    'x:y',
    'https&colon;x',
    'x&#58;y',
    'data:image/png;x',
    'a&b',
    'a&ampb',
    'xhttps:y',
    'httpsx:y',
    'file:x',
  ];

  test.each(hrefs)('of a link may be %j', (href) => {
    expect(sanitiseHtml(`<a href="${href}">x</a>`)).toBe(`<a href="${href}">x</a>`);
  });

  test.each(noHrefs)('of a link may not be %j', (href) => {
    expect(sanitiseHtml(`<a href="${href}">x</a>`)).toBe('<a>x</a>');
  });

  const images = ['png', 'gif', 'jpeg', 'webp'].flatMap((type) => [
    `data:image/${type};base64,A`,
    `DATA:IMAGE/${type},A`,
  ]);

  test.each(['http:x', 'https:x', '', 'x.png', './x:y', 'a&amp;b', ...images])(
    'of an image may be %j',
    (src) => {
      expect(sanitiseHtml(`<img src="${src}">`)).toBe(`<img src="${src}">`);
    },
  );

  test.each([
    'ftp:x',
    'mailto:x',
    'tel:x',
    'data:x',
    'data:image/png',
    'data:image/pngx;',
    'data:image/svg+xml;x',
    'data:text/html,x',
    'x data:image/png;',
  ])('of an image may not be %j', (src) => {
    expect(sanitiseHtml(`<img src="${src}">`)).toBe('<img>');
  });
});

describe('a class', () => {
  test.each(['language-x', 'language-c++', 'language-language-'])('of code may be %s', (name) => {
    expect(sanitiseHtml(`<code class="${name}">x</code>`)).toBe(`<code class="${name}">x</code>`);
  });

  test.each([
    'x',
    '',
    'language-',
    'xlanguage-x',
    'language-x y',
    'Language-x',
    'language-x&#32;position-fixed',
  ])('of code may not be %j', (name) => {
    expect(sanitiseHtml(`<code class="${name}">x</code>`)).toBe('<code>x</code>');
  });
});

describe('an input', () => {
  test.each(['<input disabled="" type="checkbox">', '<input checked="" disabled="" type="checkbox">'])(
    'may be the box of a task: %s',
    (html) => {
      expect(sanitiseHtml(`a ${html} b`)).toBe(`a ${html} b`);
    },
  );

  test.each([
    '<input>',
    '<input type="checkbox">',
    '<input type="checkbox" disabled="">',
    '<input checked="" checked="" disabled="" type="checkbox">',
    '<input disabled="" type="checkbox" name="x">',
    '<input disabled="" type="checkbox" />',
    '<INPUT disabled="" type="checkbox">',
    '<input disabled="" type="text">',
    '</input>',
  ])('may be nothing else: %s', (html) => {
    expect(sanitiseHtml(`a ${html} b`)).toBe('a  b');
  });
});
