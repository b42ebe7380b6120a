import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse';
import { linesOf } from '#infra/lines';
import { csvLines, type FileLine, type Format, jsonLines } from '#lib/account/file';

/** Reads a file piece by piece, however large it is. */
export const recordsOf = (path: string, format: Format): AsyncGenerator<FileLine> =>
  format === 'csv' ? fromCsv(path) : jsonLines(linesOf(createReadStream(path, 'utf8')));

async function* fromCsv(path: string) {
  const start = await text(createReadStream(path, { encoding: 'utf8', end: 65_535 }));
  yield* csvLines(start, (options) => pipeline(createReadStream(path), parse(options), () => undefined));
}
