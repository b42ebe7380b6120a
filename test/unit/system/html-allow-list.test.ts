import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';
import { codeOf } from '../support/code-of.ts';
import { ALLOWED, dangers, textOf } from './html-reader.ts';
import VECTORS from './xss-vectors.json' with { type: 'json' };

const dangersIn = (text: string) => [
  ...dangers(sanitiseHtml(markdownToHtml(text))),
  ...dangers(sanitiseHtml(text)),
];

test.each(VECTORS)('nothing dangerous survives %j', (vector) => {
  expect(dangersIn(vector)).toEqual([]);
});

test.each(VECTORS)('the result is read as it was written: %j', (vector) => {
  const written = sanitiseHtml(markdownToHtml(vector));
  expect(sanitiseHtml(written)).toBe(written);
});

test('nothing dangerous survives when fragments of attacks are combined', () => {
  const split = VECTORS.flatMap((vector) => vector.split(/(?=[<>"'=\s/])/));
  const fragment = fc.constantFrom(...VECTORS, ...split, '\n\n', '\n', ' ', '> ');
  const text = fc.array(fragment, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
  const isSafe = fc.property(text, (each) => dangersIn(each).length === 0);
  fc.assert(isSafe, { seed: 20_261_120, numRuns: 6000 });
});

/** HTML, and how the sanitiser writes it. */
const WRITTEN: [html: string, written: string][] = [
  ['<BR/><br /><br>', '<br><br><br>'],
  ['<IMG SRC=x.png ALT=y>', '<img src="x.png" alt="y">'],
  ['<a title=\'a"b<c>d"\'>x</a>', '<a title="a&quot;b&lt;c&gt;d&quot;">x</a>'],
  ["<a title='<<>>' href='/x?a=\"\"'>x</a>", '<a title="&lt;&lt;&gt;&gt;" href="/x?a=&quot;&quot;">x</a>'],
  ['<details open>x</details>', '<details open="">x</details>'],
  ['<a href=" /x ">x</a>', '<a href=" /x ">x</a>'],
  ['<a href="javascript:alert(1)">text</a>', '<a>text</a>'],
  ['<form><button>text</button></form>', 'text'],
  ['a<script>alert(1)</script>b<style>p{}</style>c', 'abc'],
  ['a<!-- b -->c', 'ac'],
  ['a<!-- > -->b<!---->c<!-- d', 'abc'],
  ['<!DOCTYPE html>a', 'a'],
  ['a <', 'a &lt;'],
  ['<pre>\n\na</pre>', '<pre>\n\na</pre>'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2 "quoted"', '1 &lt; 2 &amp;&amp; 3 &gt; 2 "quoted"'],
];

test.each(WRITTEN)('%s is written as %s', (html, written) => {
  expect(sanitiseHtml(html)).toBe(written);
});

/** HTML whose text an earlier sanitiser cut, and its text. */
const TEXTS: [html: string, text: string][] = [
  ['<code>if (a < b && c > d)</code>', 'if (a < b && c > d)'],
  ['<p>a <- b -> c</p>', 'a <- b -> c'],
  ['1 << 2 >> 3', '1 << 2 >> 3'],
  ['<summary>5 <= x => 10</summary>', '5 <= x => 10'],
  ['<pre>for (i = 0; i < n; i++) { p -> q }</pre>', 'for (i = 0; i < n; i++) { p -> q }'],
  ['a <?php echo $b->c; ?> d', 'a <?php echo $b->c; ?> d'],
  ['a <![CDATA[b < c && d > e]]> f', 'a <![CDATA[b < c && d > e]]> f'],
  ['a <!ELEMENT b> c', 'a <!ELEMENT b> c'],
  ['I </3 you > me', 'I </3 you > me'],
  ['a <b title="c> d', 'a <b title="c> d'],
  ['a </b', 'a </b'],
  ['Use <script> in the <b>head</b>', 'Use  in the head'],
  ['Use <STYLE> in the head, or <script>', 'Use  in the head, or '],
  ['a<script>b</script>c<script>d</script>e<script>f', 'acef'],
  ['a<script> \n </script>b', 'ab'],
  ['a<script>b</scripts>c</script/>d', 'ad'],
  ['a<style>b</style\n>c', 'ac'],
  ['a<script>b</style>c</script>d', 'ad'],
];

test.each(TEXTS)('the text of %j survives', (html, text) => {
  expect(textOf(sanitiseHtml(html))).toBe(text);
});

/** HTML that is not balanced, and how the sanitiser writes it. */
const BALANCED: [html: string, written: string][] = [
  ['</div></div><h1>a</h1>', '<h1>a</h1>'],
  ['<a href="https://a.example">', '<a href="https://a.example"></a>'],
  ['<table><tr><td>', '<table><tbody><tr><td></td></tr></tbody></table>'],
  ['<b>a<p>b</b>c', '<b>a</b><p><b>b</b>c</p>'],
  ['<ul><li>a<li>b', '<ul><li>a</li><li>b</li></ul>'],
  ['<p>a<button><p>b</button>', '<p>a</p><p>b</p>'],
  ['<a>b<object><a>c', '<a>b</a><a>c</a>'],
  ['<template><td>a</template>', 'a'],
  ['<tr><td>a', 'a'],
  ['<table>a</b', 'a&lt;/b<table></table>'],
  ['</html></body></form>a', 'a'],
  ['<table>a<form><tr><td>b', 'a<table><tbody><tr><td>b</td></tr></tbody></table>'],
];

test.each(BALANCED)('%s is balanced as %s', (html, written) => {
  expect(sanitiseHtml(html)).toBe(written);
});

/** Formatting that each paragraph repeats, of 1,024 characters. */
const repeated = (paragraphs: number) => `<p><a title="${'x'.repeat(1016)}">${'<p>x'.repeat(paragraphs)}`;

test('formatting is repeated up to a million characters', () => {
  expect(codeOf(() => sanitiseHtml(repeated(1024)))).toBeUndefined();
  expect(codeOf(() => sanitiseHtml(repeated(1025)))).toBe('too_complex');
});

const ATTRIBUTES = [
  ...'align alt class colspan height href id name open rowspan src start title width dir'.split(' '),
  ...'action checked data disabled for onclick srcset style target type value xmlns'.split(' '),
];

const VOID = ['br', 'hr', 'img', 'wbr'];

/** Elements of a table, and what the parser writes around them in a table. */
const IN_TABLE: Readonly<Record<string, [before: string, after: string]>> = {
  ...Object.fromEntries(['caption', 'tbody', 'tfoot', 'thead'].map((name) => [name, ['', '']])),
  tr: ['<tbody>', '</tbody>'],
  td: ['<tbody><tr>', '</tr></tbody>'],
  th: ['<tbody><tr>', '</tr></tbody>'],
};

const SAMPLES: Readonly<Record<string, string>> = {
  href: '/x',
  src: '/x',
  id: 'user-content-x',
  name: 'user-content-y',
  dir: 'rtl',
};

const CLASSES: Readonly<Record<string, string>> = {
  code: 'language-1',
  div: 'markdown-alert markdown-alert-tip',
  p: 'markdown-alert-title',
};

test.each(Object.entries(ALLOWED))('<%s> keeps %j and loses every other attribute', (name, kept) => {
  const sample = (attribute: string) =>
    attribute === 'class' ? CLASSES[name] : (SAMPLES[attribute] ?? 'language-1');
  const [before, after] = IN_TABLE[name] ?? [];
  const written = (names: readonly string[]) => {
    const tag = [name, ...names.map((attribute) => `${attribute}="${sample(attribute)}"`)].join(' ');
    const element = VOID.includes(name) ? `<${tag}>` : `<${tag}></${name}>`;
    return before === undefined ? element : `<table>${before}${element}${after}</table>`;
  };
  const inOrder = ATTRIBUTES.filter((attribute) => kept.includes(attribute));
  expect(inOrder).toHaveLength(kept.length);
  expect(sanitiseHtml(written(ATTRIBUTES))).toBe(written(inOrder));
});

const REMOVED =
  'form button select textarea iframe object embed svg math video audio link meta base title template';

test.each(REMOVED.split(' '))('<%s> is removed, and its text stays', (name) => {
  expect(sanitiseHtml(`a<${name} align="left">b</${name}>c`)).toBe('abc');
});

const imageData = ['png', 'gif', 'jpeg', 'webp'].flatMap((type) => [
  `data:image/${type};base64,A`,
  `DATA:IMAGE/${type},A`,
]);

/** An attribute, its element, values that stay and values that are removed. */
const VALUES: [name: string, write: (attribute: string) => string, kept: string[], removed: string[]][] = [
  [
    'href',
    (attribute) => `<a${attribute}>x</a>`,
    'http:x https:x ftp:x MAILTO:x tel:x xmpp:x //x x x/y:z x?y:z x#y:z # #top #TOP ../a/b.md a&amp;b/c:d a&amp;b'
      .split(' ')
      .concat('', ' https:x', '\n/x:y '),
    'x:y x&colon;y x&#58;y data:image/png;x xhttps:y httpsx:y file:x'
      .split(' ')
      .concat('\u0001https:x', 'ht\ntps:x'),
  ],
  [
    'src',
    (attribute) => `<img${attribute}>`,
    ['', ...'http:x https:x x.png ./x:y a&amp;b'.split(' '), ...imageData],
    [
      ...'ftp:x mailto:x tel:x data:x data:image/png data:image/pngx;'.split(' '),
      ...['data:image/svg+xml;x', 'data:text/html,x', 'x data:image/png;'],
    ],
  ],
  [
    'class',
    (attribute) => `<code${attribute}>x</code>`,
    ['language-x', 'language-c++', 'language-language-'],
    ['x', '', 'language-', 'xlanguage-x', 'language-x y', 'Language-x', 'language-x&#32;position-fixed'],
  ],
  [
    'class',
    (attribute) => `<div${attribute}>x</div>`,
    ['note', 'tip', 'important', 'warning', 'caution'].map((kind) => `markdown-alert markdown-alert-${kind}`),
    ['x', 'markdown-alert', 'markdown-alert-title', 'markdown-alert markdown-alert-tip x', 'language-x'],
  ],
  ['dir', (attribute) => `<p${attribute}>x</p>`, ['rtl', 'ltr', 'auto', 'RTL'], ['', 'x', 'rtl ltr']],
  [
    'id',
    (attribute) => `<h2${attribute}>x</h2>`,
    ['user-content-x', 'user-content-größe', 'user-content-1:%41'],
    ['', ' ', 'a b', 'user-content-a b', 'a&quot;', 'a<b'],
  ],
];

describe.each(VALUES)('the attribute %s', (name, write, kept, removed) => {
  test.each(kept)('may have the value %j', (value) => {
    const html = write(` ${name}="${value}"`);
    expect(sanitiseHtml(html)).toBe(html);
  });

  test.each(removed)('is removed with the value %j', (value) => {
    expect(sanitiseHtml(write(` ${name}="${value}"`))).toBe(write(''));
  });
});

/** HTML with a target in its document, and how the sanitiser writes it. */
const TARGETS: [html: string, written: string][] = [
  ['<a href="#x">y</a>', '<a href="#user-content-x">y</a>'],
  ['<a href=" #x:1 ">y</a>', '<a href="#user-content-x:1">y</a>'],
  ['<a href="#topics">y</a>', '<a href="#user-content-topics">y</a>'],
  ['<a href="#user-content-x">y</a>', '<a href="#user-content-x">y</a>'],
  ['<a id="x" name="y"></a>', '<a id="user-content-x" name="user-content-y"></a>'],
  ['<h3 ID=cookie>y</h3>', '<h3 id="user-content-cookie">y</h3>'],
];

test.each(TARGETS)('a target of %s has the prefix of the document', (html, written) => {
  expect(sanitiseHtml(html)).toBe(written);
});

const BOX = '<input disabled="" type="checkbox">';

test.each([
  [BOX, BOX],
  [BOX.replace('<input', '<input checked=""'), BOX.replace('<input', '<input checked=""')],
  ['<INPUT disabled TYPE=checkbox />', BOX],
])('the box of a task stays: %s', (html, written) => {
  expect(sanitiseHtml(`a ${html} b`)).toBe(`a ${written} b`);
});

test.each([
  '<input>',
  '<input type="checkbox">',
  '<input type="checkbox" disabled="" name="x">',
  '<input disabled="" type="checkbox" onclick="x">',
  '<input disabled="" type="text">',
  '<input disabled="" type="CHECKBOX">',
  '<input disabled="">',
  '</input>',
])('any other input is removed: %s', (html) => {
  expect(sanitiseHtml(`a ${html} b`)).toBe('a  b');
});
