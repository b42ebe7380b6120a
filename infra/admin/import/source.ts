import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse';
import { csvLines, type FileLine, type Format, jsonLines } from '#lib/account/file';

/** Reads a file piece by piece, however large it is. */
export const recordsOf = (path: string, format: Format): AsyncGenerator<FileLine> =>
  format === 'csv' ? fromCsv(path) : jsonLines(linesOf(createReadStream(path, 'utf8')));

/** The lines of a text, however large it is. JSON may contain U+2028, which Node's `readline` takes for an end. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const part of text) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function* fromCsv(path: string) {
  const start = await text(createReadStream(path, { encoding: 'utf8', end: 65_535 }));
  yield* csvLines(start, (options) => pipeline(createReadStream(path), parse(options), () => undefined));
}
