import {
  type DefaultTreeAdapterMap,
  defaultTreeAdapter,
  html,
  Parser,
  serialize,
  Token,
  TokenizerMode,
} from 'parse5';
import { Failure } from '../failure/failure.ts';
import { MAX_EXPANSION } from './markdown.ts';

/** A relative URL: a scheme ends at the first colon before any `/`, `?` or `#`. */
const RELATIVE = '[^:/?#]*(?:[/?#]|$)';
const LINK = new RegExp(`^\\s*(?:(?:https?|ftp|mailto|tel|xmpp):|${RELATIVE})`, 'i');
const IMAGE = new RegExp(`^\\s*(?:https?:|data:image/(?:png|gif|jpeg|webp)[;,]|${RELATIVE})`, 'i');

const each = (tags: string, attributes: string[]) => tags.split(' ').map((tag) => [tag, attributes] as const);

/**
 * Allowed elements and their attributes besides `dir`: no form, frame, media, SVG, MathML or raw text, and no attribute that
 * can name, style or address anything outside the document.
 */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map([
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
  ...each('img', ['src', 'alt', 'title', 'width', 'height', 'align']),
  ...each('input', ['checked', 'disabled', 'type']),
  ...each('ol', ['start']),
]);

const TARGET = /^[^\s"'<>`]+$/;

/** Attributes with a limited set of values. */
const VALUES: Readonly<Record<string, RegExp>> = {
  href: LINK,
  src: IMAGE,
  dir: /^(?:ltr|rtl|auto)$/i,
  id: TARGET,
  name: TARGET,
  'code class': /^language-[\w+#.-]+$/,
  'div class': /^markdown-alert markdown-alert-(?:note|tip|important|warning|caution)$/,
  'p class': /^markdown-alert-title$/,
};

/**
 * Begins each target within the document, as on GitHub: so none meets an element or a script of the page around it (DOM
 * clobbering). A link to `#top` leads to the top of that page.
 */
const PREFIX = 'user-content-';
const TO_TARGET = /^\s*#(?!top$)(?=.)/i;

const prefixed = (value: string) => (value.startsWith(PREFIX) ? value : `${PREFIX}${value}`);

function within({ name, value }: Token.Attribute): Token.Attribute {
  if (name === 'id' || name === 'name') return { name, value: prefixed(value) };
  if (name !== 'href' || !TO_TARGET.test(value)) return { name, value };
  return { name, value: `#${prefixed(value.trim().slice(1))}` };
}

const allowedOf = ({ tagName, attrs }: Token.TagToken) =>
  attrs
    .filter(
      ({ name, value }) =>
        (name === 'dir' || ALLOWED.get(tagName)?.includes(name)) &&
        ((VALUES[`${tagName} ${name}`] ?? VALUES[name])?.test(value) ?? true),
    )
    .map(within);

const isAllowed = ({ tagName, attrs }: Token.TagToken) =>
  ALLOWED.has(tagName) && (tagName !== 'input' || isTask(attrs));

/** The box of a task list is the only allowed input. */
const isTask = (attributes: readonly Token.Attribute[]) =>
  attributes.some(({ name }) => name === 'disabled') &&
  attributes.some(({ name, value }) => name === 'type' && value === 'checkbox') &&
  attributes.every(({ name }) => ALLOWED.get('input')?.includes(name));

/** Elements that are removed with their text, up to the end tag. */
const REMOVED: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/script[\s/>]/gi],
  ['style', /<\/style[\s/>]/gi],
]);

/** The token without its location, which the tree would keep. */
const unlocated = <T extends Token.Token>(token: T): T => {
  token.location = null;
  return token;
};

/**
 * A parser that sees only what is allowed: it builds the tree as if refused tags were not there, and closes every element.
 */
class AllowListParser extends Parser<DefaultTreeAdapterMap> {
  #page = '';
  #created = 0;
  #isRemoving = false;
  readonly #unclosed = new Set<string>();

  /** The tree of the HTML of a page. */
  static treeOf(page: string) {
    const body = defaultTreeAdapter.createElement('body', html.NS.HTML, []);
    const parser = AllowListParser.getFragmentParser(body, {
      sourceCodeLocationInfo: true,
    }) as AllowListParser;
    parser.#page = page;
    parser.tokenizer.write(page, true);
    return parser.getFragment();
  }

  override onStartTag(token: Token.TagToken) {
    if (isAllowed(token)) {
      super.onStartTag({ ...unlocated(token), attrs: allowedOf(token) });
      // Whoever reads the result skips the first line break of `<pre>`.
      this.skipNextNewLine = false;
    } else if (this.#isClosed(token)) {
      this.#isRemoving = true;
      this.tokenizer.state = TokenizerMode.RAWTEXT;
    }
  }

  override onEndTag(token: Token.TagToken) {
    this.#isRemoving = false;
    if (ALLOWED.has(token.tagName)) super.onEndTag(token);
  }

  override onCharacter(token: Token.CharacterToken) {
    if (!this.#isRemoving) super.onCharacter(unlocated(token));
  }

  override onWhitespaceCharacter(token: Token.CharacterToken) {
    if (!this.#isRemoving) super.onWhitespaceCharacter(unlocated(token));
  }

  /** Removes comments. Other markup that HTML treats as a comment, such as `<?php ?>`, stays as text. */
  override onComment({ location }: Token.CommentToken) {
    const written = this.#page.slice(location?.startOffset, location?.endOffset);
    if (!written.startsWith('<!--')) this.#write(written);
  }

  /** Keeps a tag that does not end as text. */
  override onEof(token: Token.EOFToken) {
    const unfinished = this.tokenizer['currentToken']?.location;
    // The parser may process this token again.
    this.tokenizer['currentToken'] = null;
    if (unfinished) this.#write(this.#page.slice(unfinished.startOffset));
    super.onEof(token);
  }

  /** Counts characters, since formatting that is not closed is repeated in each of the following blocks. */
  override _createElement(...element: Parameters<Parser<DefaultTreeAdapterMap>['_createElement']>) {
    const [tag, , attributes] = element;
    for (const { name, value } of attributes) this.#created += name.length + value.length;
    this.#created += tag.length + '<>'.length;
    if (this.#created > this.#page.length + MAX_EXPANSION) throw new Failure('too_complex');
    return super._createElement(...element);
  }

  #write(chars: string) {
    super.onCharacter({ type: Token.TokenType.CHARACTER, chars, location: null });
  }

  /** Whether an end tag follows. Without one, the element would take the rest of the page with it. */
  #isClosed({ tagName, location }: Token.TagToken) {
    const endTag = REMOVED.get(tagName);
    if (!endTag || this.#unclosed.has(tagName)) return false;
    endTag.lastIndex = location?.endOffset ?? 0;
    const isClosed = endTag.test(this.#page);
    if (!isClosed) this.#unclosed.add(tagName);
    return isClosed;
  }
}

/**
 * Reduces HTML to an allow-list by the rules of HTML itself. The result is balanced and contains only allowed elements, so
 * that each parser reads it as it was checked. Refused elements leave their text, except scripts and styles.
 *
 * @throws Failure `too_complex` when the elements expand by more than a million characters
 */
export const sanitiseHtml = (page: string): string => serialize(AllowListParser.treeOf(page));
