/** A tag as a browser reads it: attribute values decoded. */
export interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/**
 * The one way to write tags that no HTML parser reads differently: lower-case names, one space before each
 * attribute, double quotes, and no `<`, `>` or `"` within them.
 */
const PLAIN_TAG = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)(?: \/)?>/;
const ATTRIBUTE = / ([a-z]+)="([^"<>]*)"/g;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  colon: ':',
  tab: '\t',
  newline: '\n',
  lpar: '(',
  rpar: ')',
  sol: '/',
  num: '#',
  excl: '!',
};

/** Decodes the character references of HTML that an attack could use. */
const decode = (text: string) =>
  text
    .replace(/&#x([0-9a-f]+);?/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replace(/&#([0-9]+);?/g, (_, code: string) => character(Number(code)))
    .replace(/&([a-z]+);?/gi, (reference, name: string) => NAMED[name.toLowerCase()] ?? reference);

const character = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');

/** The text of HTML that is written plainly, as a browser shows it. */
export const textOf = (html: string) => decode(html.replace(/<[^>]*>/g, ''));

/**
 * Reads HTML that is written plainly throughout.
 *
 * @throws Error at the first `<` that does not begin a plain tag
 */
export function readTags(html: string): Tag[] {
  const tags: Tag[] = [];
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const [, slash, name, attributes] = PLAIN_TAG.exec(html.slice(at)) ?? [];
    if (name === undefined) throw new Error(`Not a plain tag: ${html.slice(at, at + 80)}`);
    tags.push({
      name,
      closing: slash === '/',
      attributes: [...(attributes ?? '').matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [
        key,
        decode(value),
      ]),
    });
  }
  return tags;
}

const each = (names: string, attributes: string[]) =>
  Object.fromEntries(names.split(' ').map((name) => [name, [...attributes, 'dir']]));

/** The attributes of each element that a page of a preview may contain, except the boxes of tasks. */
export const ALLOWED: Readonly<Record<string, string[]>> = {
  ...each('b br em i s small span strike strong sub sup tt u wbr', []),
  ...each('blockquote cite dd del dfn dl dt figcaption figure ins kbd li mark pre q samp summary ul var', []),
  ...each('caption hr table tbody tfoot thead tr', ['align']),
  ...each('div p', ['align', 'class']),
  ...each('h1 h2 h3 h4 h5 h6', ['align', 'id']),
  ...each('td th', ['align', 'colspan', 'rowspan']),
  ...each('a', ['href', 'id', 'name', 'title']),
  ...each('abbr', ['title']),
  ...each('code', ['class']),
  ...each('details', ['open']),
  ...each('img', ['align', 'alt', 'height', 'src', 'title', 'width']),
  ...each('ol', ['start']),
};
const TASK = ['checked', 'disabled', 'type'];
const SCHEMES = /^(https?|ftp|mailto|tel|xmpp)$/;

/** The scheme that the URL parser of a browser finds (WHATWG URL), if any. */
function schemeOf(url: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what a browser strips
  const stripped = url.replace(/^[\u0000-\u0020]+/, '').replace(/[\t\n\r]/g, '');
  return /^([a-z][a-z0-9+.-]*):/i.exec(stripped)?.[1]?.toLowerCase();
}

/** The dangers in HTML that should be safe; empty when it is. */
export function dangers(html: string): string[] {
  return readTags(html).flatMap(({ name, closing, attributes }) => {
    const found: string[] = [];
    const allowed = name === 'input' ? TASK : ALLOWED[name];
    if (!allowed) found.push(`<${name}>`);
    if (closing && attributes.length > 0) found.push(`</${name}> has attributes`);
    for (const [key, value] of attributes) {
      const scheme = schemeOf(value);
      if (!allowed?.includes(key)) found.push(`<${name} ${key}>`);
      if (/^(id|name)$/.test(key) && !value.startsWith('user-content-')) found.push(`${key} ${value}`);
      if (key === 'href' && scheme !== undefined && !SCHEMES.test(scheme)) found.push(`href ${value}`);
      if (key === 'src' && scheme !== undefined && !/^https?$|^data$/.test(scheme))
        found.push(`src ${value}`);
      if (
        scheme === 'data' &&
        !/^\s*data:image\/(png|gif|jpeg|webp)[;,]/i.test(value) &&
        /^(src|href)$/.test(key)
      )
        found.push(`${key} ${value}`);
    }
    if (name === 'input' && !closing) {
      const values = Object.fromEntries(attributes);
      if (values['type'] !== 'checkbox' || values['disabled'] === undefined)
        found.push('an input that is no task');
    }
    return found;
  });
}
