import preferredMediaTypes from 'negotiator/lib/mediaType.js';
import { Answer } from '../contract/answer.ts';
import { Failure } from '../failure/failure.ts';
import { sanitiseHtml } from './html-allow-list.ts';
import { markdownToHtml } from './markdown.ts';
import { withinTime } from './time-limit.ts';

/** Ten texts a second, the rate of the gateway, then keep fewer than ten execution environments busy. */
export const MAX_MS = 900;

/** Lambda answers at most 6 MB, including its own JSON with the body as a string. */
const MAX_ANSWER_BYTES = 6_000_000;

const PAGE = 'text/html';

/** Clients name a type with its charset, or without. */
const TYPES = [PAGE, 'application/json'].flatMap((type) => [type, `${type}; charset=utf-8`]);

/**
 * Renders Markdown as sanitised HTML: a page, or `{"html"}` for a client that prefers JSON (RFC 9110 section 12.5.1).
 *
 * @param headers of the request
 * @param maxMs longest time of the work
 * @throws Failure `too_complex` when it takes longer than that, nests too deep or becomes too large
 */
export function previewOf(
  markdown: string,
  headers: Readonly<Record<string, string | undefined>>,
  maxMs = MAX_MS,
) {
  const html = withinTime(maxMs, () => sanitiseHtml(markdownToHtml(markdown)));
  if (Buffer.byteLength(JSON.stringify(JSON.stringify(html))) > MAX_ANSWER_BYTES)
    throw new Failure('too_complex');
  // A client that accepts neither receives the page.
  const type = preferredMediaTypes(headers['accept'], TYPES)[0] ?? PAGE;
  return type.startsWith(PAGE) ? new Answer(html, { type: `${PAGE}; charset=utf-8` }) : { html };
}
