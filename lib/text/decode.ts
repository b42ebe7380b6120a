type Parts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A text that is in none of the encodings that are read. */
export class EncodingError extends Error {
  /** The first line with a byte that no UTF-8 has, numbered from 1. */
  readonly line: number;

  constructor(line: number) {
    super('The text is not UTF-8');
    this.line = line;
  }
}

/** The bytes that no text in Windows-1252 has: control characters, and those without a meaning. */
const MEANINGLESS = new Set([
  ...[...Array(0x20).keys()].filter((byte) => ![0x09, 0x0a, 0x0c, 0x0d].includes(byte)),
  ...[0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d],
]);

const WINDOWS = 'windows-1252';

/**
 * Whether a text that is not Unicode is in Windows-1252, as older programs save it. Where letters of UTF-8 stand between
 * other bytes, the text is damaged instead: read so, they would be others.
 */
export async function isWindows1252(parts: Parts): Promise<boolean> {
  const decoder = new TextDecoder();
  const hasLetter = (text: string) => /[^\0-\x7f\ufffd]/.test(text);
  for await (const part of parts) {
    if (part.some((byte) => MEANINGLESS.has(byte))) return false;
    if (hasLetter(decoder.decode(part, { stream: true }))) return false;
  }
  return !hasLetter(decoder.decode());
}

/** The encoding by the byte order mark, or by the zero byte of an ASCII letter in UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff ? second === 0xfe : first && second === 0) return 'utf-16le';
  return first === 0xfe ? 'utf-16be' : first === 0 && second ? 'utf-16be' : 'utf-8';
}

const linesIn = (text: string) => text.split('\n').length - 1;

/** Decodes Windows-1252, as `decoded`. */
export const decodedWindows1252 = (parts: Parts) => decoded(parts, WINDOWS);

/**
 * Decodes UTF-8 and UTF-16, without the byte order mark. Each part of the answer has whole lines, which end with `\n`.
 *
 * @throws EncodingError
 */
export async function* decoded(parts: Parts, known?: typeof WINDOWS): AsyncGenerator<string> {
  let encoding: string | undefined = known;
  let decoder = new TextDecoder(known);
  let [rest, line] = ['', 1];
  const lines = function* (text: string, isLast: boolean) {
    // The last `\r` may be half of the end of a line.
    const end = isLast || !text.endsWith('\r') ? text.length : -1;
    const whole = text.slice(0, end).replace(/\r\n?/g, '\n');
    const cut = isLast ? whole.length : whole.lastIndexOf('\n') + 1;
    rest = whole.slice(cut) + (end < 0 ? '\r' : '');
    line += linesIn(whole.slice(0, cut));
    if (cut > 0) yield whole.slice(0, cut);
  };
  for await (const part of parts) {
    if (encoding === undefined) {
      encoding = encodingOf(part);
      decoder = new TextDecoder(encoding, { fatal: true });
    }
    let text: string;
    try {
      text = decoder.decode(part, { stream: true });
    } catch {
      const [before = ''] = new TextDecoder(encoding).decode(part).split('\ufffd');
      throw new EncodingError(line + linesIn(before.replace(/\r\n?/g, '\n')));
    }
    yield* lines(rest + text, false);
  }
  try {
    rest += decoder.decode();
  } catch {
    throw new EncodingError(line);
  }
  yield* lines(rest, true);
}
