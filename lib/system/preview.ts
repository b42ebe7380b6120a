import preferredMediaTypes from 'negotiator/lib/mediaType.js';
import { Answer } from '../contract/answer.ts';
import { Failure } from '../failure.ts';
import { sanitiseHtml } from './html-allow-list.ts';
import { markdownToHtml } from './markdown.ts';
import { withinTime } from './time-limit.ts';

/** Ten texts a second, however they are made, keep less than ten execution environments busy; 1 MiB of prose takes 0.5 s of a slow processor. */
export const MAX_MS = 900;

/** Lambda answers at most 6 MB, its own JSON included, in which the body is a string. */
const MAX_ANSWER_BYTES = 6_000_000;

const PAGE = 'text/html';

/**
 * The HTML of a Markdown text: as a page, or as `{"html"}` for a client that prefers JSON (RFC 9110 section 12.5.1).
 *
 * @param headers of the request
 * @throws Failure `too_complex` where it takes longer than 0.9 s, nests too deep or grows too large
 */
export function previewOf(markdown: string, headers: Readonly<Record<string, string | undefined>>) {
  const html = withinTime(MAX_MS, () => sanitiseHtml(markdownToHtml(markdown)));
  if (Buffer.byteLength(JSON.stringify(JSON.stringify(html))) > MAX_ANSWER_BYTES)
    throw new Failure('too_complex');
  // To a client that accepts neither the page is sent all the same.
  const type = preferredMediaTypes(headers['accept'], [PAGE, 'application/json'])[0] ?? PAGE;
  return type === PAGE ? new Answer(html, { type: `${PAGE}; charset=utf-8` }) : { html };
}
