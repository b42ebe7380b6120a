import { Failure } from '../failure.ts';
import { Answer } from '../http/answer.ts';
import { accepts } from './accept.ts';
import { sanitiseHtml } from './html-allow-list.ts';
import { markdownToHtml } from './markdown.ts';
import { withinTime } from './time-limit.ts';

const MAX_MS = 2000;

/** Lambda answers at most 6 MB, its own JSON included, in which the body is a string. */
const MAX_ANSWER_BYTES = 6_000_000;

/**
 * The HTML of a Markdown text: as a page, or as `{"html"}` for a client that accepts JSON but no HTML.
 *
 * @param accept the client's `Accept` header
 * @throws Failure `too_complex` where it takes longer than 2 s, nests too deep or grows too large
 */
export function previewOf(markdown: string, accept: string | undefined) {
  const html = withinTime(MAX_MS, () => sanitiseHtml(markdownToHtml(markdown)));
  if (Buffer.byteLength(JSON.stringify(JSON.stringify(html))) > MAX_ANSWER_BYTES)
    throw new Failure('too_complex');
  if (accepts(accept, 'application/json') && !accepts(accept, 'text/html')) return { html };
  return new Answer(html, { type: 'text/html; charset=utf-8' });
}
