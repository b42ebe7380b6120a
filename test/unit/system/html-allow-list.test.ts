import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitiseHtml } from '#lib/system/html-allow-list';
import { markdownToHtml } from '#lib/system/markdown';
import { ALLOWED, dangers } from './html-reader.ts';
import VECTORS from './xss-vectors.json' with { type: 'json' };

const dangersIn = (text: string) => [
  ...dangers(sanitiseHtml(markdownToHtml(text))),
  ...dangers(sanitiseHtml(text)),
];

test.each(VECTORS)('nothing dangerous survives %j', (vector) => {
  expect(dangersIn(vector)).toEqual([]);
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
  ['<BR/><br /><br>', '<br /><br /><br>'],
  ['<IMG SRC=x.png ALT=y>', '<img src="x.png" alt="y">'],
  ['<a title=\'a"b<c>d"\'>x</a>', '<a title="a&quot;b&lt;c&gt;d&quot;">x</a>'],
  ["<a title='<<>>' href='/x?a=\"\"'>x</a>", '<a title="&lt;&lt;&gt;&gt;" href="/x?a=&quot;&quot;">x</a>'],
  ['<details open>x</details>', '<details open="">x</details>'],
  ['<a href=" /x ">x</a>', '<a href="/x">x</a>'],
  ['<a href="javascript:alert(1)">text</a>', '<a>text</a>'],
  ['<form><button>text</button></form>', 'text'],
  ['a<script>alert(1)</script>b<style>p{}</style>c', 'abc'],
  ['a<!-- b -->c', 'ac'],
  ['a <', 'a &lt;'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2 "quoted"', '1 &lt; 2 &amp;&amp; 3 &gt; 2 "quoted"'],
];

test.each(WRITTEN)('%s is written as %s', (html, written) => {
  expect(sanitiseHtml(html)).toBe(written);
});

const ATTRIBUTES = [
  ...'align alt class colspan height href open rowspan src start title width'.split(' '),
  ...'action checked data disabled for id name onclick srcset style target type value xmlns'.split(' '),
];

test.each(Object.entries(ALLOWED))('<%s> keeps %j and loses every other attribute', (name, kept) => {
  const sample = (attribute: string) => (/^(href|src)$/.test(attribute) ? '/x' : 'language-1');
  const written = (names: readonly string[]) =>
    `<${[name, ...names.map((attribute) => `${attribute}="${sample(attribute)}"`)].join(' ')}>x</${name}>`;
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
    'http:x https:x ftp:x MAILTO:x tel:x //x x x/y:z x?y:z x#y:z #x:1 ../a/b.md a&amp;b/c:d'
      .split(' ')
      .concat(''),
    'x:y https&colon;x x&#58;y data:image/png;x a&b a&ampb xhttps:y httpsx:y file:x'.split(' '),
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

const BOX = '<input disabled="" type="checkbox">';

test.each([BOX, BOX.replace('<input', '<input checked=""')])('the box of a task stays: %s', (html) => {
  expect(sanitiseHtml(`a ${html} b`)).toBe(`a ${html} b`);
});

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
])('any other input is removed: %s', (html) => {
  expect(sanitiseHtml(`a ${html} b`)).toBe('a  b');
});
