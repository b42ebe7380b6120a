import VECTORS from './xss-vectors.json' with { type: 'json' };

/** Elements whose content parsers read in a way of its own: raw text, foreign content, tables, fallbacks. */
const ELEMENTS = [
  ...'title textarea style script xmp iframe noembed noframes noscript plaintext template'.split(' '),
  ...'svg math select table form button object video p pre a b li td details'.split(' '),
];

/** Nestings in which sanitisers and browsers have disagreed (mutation XSS). */
const NESTED = [
  '<svg><style>|</style></svg>',
  '<svg><title>|</title></svg>',
  '<svg><foreignObject>|</foreignObject></svg>',
  '<svg><desc><noscript>|</noscript></desc></svg>',
  '<math><mtext><table><mglyph><style>|</style></mglyph></table></mtext></math>',
  '<math><annotation-xml encoding="text/html">|</annotation-xml></math>',
  '<form><math><mtext></form><form><mglyph><style>|</style>',
  '<select><template><style>|</style></template></select>',
  '<table><tr><td></table>|</td></tr></table>',
  '<noscript><p title="</noscript>|">',
  '<a title="</a>|">x</a>',
  "<img alt='|'>",
  '<!-- | -->',
  '<!-->|-->',
  '<![CDATA[|]]>',
  '<?|?>',
  '<a href="x" |>y</a>',
  '<div\n|\n>',
];

/** Markdown around the attack. */
const MARKDOWN = [
  '[|](x)',
  '![|](x)',
  '[x](|)',
  '[x](<|> "|")',
  '> |',
  '- |',
  '# |',
  '| a |\n|-|\n| | |',
  '`|',
  '**|**',
];

export const CONTEXTS = [...ELEMENTS.map((name) => `<${name}>|</${name}>`), ...NESTED, ...MARKDOWN];

/** Each attack within a context. */
export const attacksIn = (context: string) => VECTORS.map((vector) => context.replaceAll('|', () => vector));
