import { Lexer, type Links, Marked, Parser, Tokenizer, type Tokens } from 'marked';
import markedAlert from 'marked-alert';
import { gfmHeadingId, resetHeadings } from 'marked-gfm-heading-id';
import { Failure } from '../failure/failure.ts';

/**
 * Characters by which rendering may expand its input. Two constructs repeat text, so that memory runs out before time
 * does: missing cells of rows, and references to a definition. cmark-gfm of GitHub limits the same two.
 */
export const MAX_EXPANSION = 1024 * 1024;

const EMPTY_CELL = '<td></td>\n'.length;

/** GitHub's additions to GFM: ids of headings, and alerts. */
const github = new Marked({ gfm: true }, gfmHeadingId(), markedAlert());

/** What begins like a heading for marked, which takes a no-break space for a space (CommonMark 0.31, section 4.2). */
const NO_HEADING = /^ {0,3}#{1,6}[^\S \t\n]/;

/** The tokenizer of marked, which throws when one document expands beyond {@link MAX_EXPANSION}. */
class BoundedTokenizer extends Tokenizer {
  #expansion = 0;

  override heading(src: string) {
    return NO_HEADING.test(src) ? undefined : super.heading(src);
  }

  override table(src: string): Tokens.Table | undefined {
    const [, , delimiters, body = ''] = this.rules.block.table.exec(src) ?? [];
    if (delimiters === undefined) return undefined;
    const cells = delimiters.split('|').length * body.split('\n').length;
    // A written cell has one character at least.
    this.#expand(Math.max(0, cells - delimiters.length - body.length) * EMPTY_CELL);
    return super.table(src);
  }

  override reflink(src: string, links: Links) {
    const token = super.reflink(src, links);
    if (token && 'href' in token) this.#expand(token.href.length + (token.title?.length ?? 0));
    return token;
  }

  #expand(characters: number) {
    this.#expansion += characters;
    if (this.#expansion > MAX_EXPANSION) throw new Failure('too_complex');
  }
}

/**
 * Renders Markdown as GitHub does, as HTML that is not sanitised.
 *
 * @throws Failure `too_complex` when the document expands by more than a million characters
 */
export function markdownToHtml(markdown: string): string {
  const options = { ...github.defaults, tokenizer: new BoundedTokenizer() };
  const tokens = new Lexer(options).lex(markdown.replace(/^\ufeff/, '').replaceAll('\0', '\ufffd'));
  github.walkTokens(tokens, options.walkTokens ?? (() => {}));
  // Ids are unique in their document only.
  resetHeadings();
  return Parser.parse(tokens, options);
}
