import { Lexer, type Links, Parser, Tokenizer, type Tokens } from 'marked';
import { Failure } from '../failure.ts';

/**
 * Characters by which rendering may expand its input. Two constructs repeat what stands once, so that memory
 * runs out before time does: cells that rows leave out, and references to a definition. cmark-gfm, which
 * GitHub uses, limits the same two.
 */
const MAX_EXPANSION = 1024 * 1024;

const EMPTY_CELL = '<td></td>\n'.length;

/** Finds the tokens of one document as marked does, and stops where they expand without proportion. */
class BoundedTokenizer extends Tokenizer {
  #expansion = 0;

  override table(src: string): Tokens.Table | undefined {
    const [, , delimiters, body = ''] = this.rules.block.table.exec(src) ?? [];
    if (delimiters === undefined) return undefined;
    const cells = delimiters.split('|').length * body.split('\n').length;
    // A cell that stands there takes a character at least.
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
 * GitHub-flavoured Markdown as HTML, which is as trustworthy as its author: sanitise it.
 *
 * @throws Failure `too_complex` where the document expands by more than a million characters
 */
export const markdownToHtml = (markdown: string): string =>
  Parser.parse(new Lexer({ gfm: true, tokenizer: new BoundedTokenizer() }).lex(markdown));
