import { FilterXSS } from 'xss';

/**
 * A relative URL. A scheme ends at the first colon before any `/`, `?` or `#`. Without a colon, or a character reference
 * for one, a text has no scheme after anything that browsers strip or decode. Nothing is decoded here.
 */
const RELATIVE = '(?:[^:&/?#]|&amp;)*(?:[/?#]|$)';
const LINK = new RegExp(`^(?:(?:https?|ftp|mailto|tel):|${RELATIVE})`, 'i');
const IMAGE = new RegExp(`^(?:https?:|data:image/(?:png|gif|jpeg|webp)[;,]|${RELATIVE})`, 'i');

const each = (tags: string, attributes: string[]) =>
  Object.fromEntries(tags.split(' ').map((tag) => [tag, attributes]));

/**
 * Allowed elements and their attributes: no form, frame, media, SVG, MathML or raw text, and no attribute that can name,
 * style or address anything outside its element.
 */
const ALLOWED: Record<string, string[]> = {
  ...each('b br em i s small span strike strong sub sup tt u wbr', []),
  ...each('blockquote cite dd del dfn dl dt figcaption figure ins kbd li mark pre q samp summary ul var', []),
  ...each('caption div h1 h2 h3 h4 h5 h6 hr p table tbody tfoot thead tr', ['align']),
  ...each('td th', ['align', 'colspan', 'rowspan']),
  a: ['href', 'title'],
  abbr: ['title'],
  code: ['class'],
  details: ['open'],
  img: ['src', 'alt', 'title', 'width', 'height', 'align'],
  ol: ['start'],
};

/** Attributes with a limited set of values. */
const VALUES: Readonly<Record<string, RegExp>> = {
  href: LINK,
  src: IMAGE,
  class: /^language-[\w+#.-]+$/,
};

/** The box of a task list as marked writes it: the only allowed input. */
const TASK = /^<input (checked="" )?disabled="" type="checkbox">$/;

const attribute = (name: string, value: string) =>
  `${name}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`;

const filter = new FilterXSS({
  allowList: ALLOWED,
  stripIgnoreTag: true,
  stripIgnoreTagBody: ['script', 'style'],
  onTag: (tag, html) => (tag === 'input' ? (TASK.test(html) ? html : '') : undefined),
  onTagAttr: (_tag, name, value, isAllowed) =>
    isAllowed && (VALUES[name]?.test(value) ?? true) ? attribute(name, value) : '',
});

/**
 * Reduces HTML to an allow-list. Every tag is rewritten with its attributes in double quotes, and every other `<` is
 * escaped, so that each parser reads the result as it was checked.
 */
export const sanitiseHtml = (html: string): string => filter.process(html);
