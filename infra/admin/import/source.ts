import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { type Format, fileLines } from '#lib/account/file';
import type { FileLine } from '#lib/account/file/line';

/** Reads a file piece by piece, however large it is. @param guess called where its encoding is a guess */
export const recordsOf = (path: string, format: Format, guess?: () => void): AsyncGenerator<FileLine> =>
  fileLines(
    format,
    () => createReadStream(path),
    (text, options) => pipeline(text, parse(options), () => undefined),
    guess,
  );
