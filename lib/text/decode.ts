/** A text that is in none of the encodings that are read. */
export class EncodingError extends Error {
  /** The first line with a byte that no UTF-8 has, numbered from 1. */
  readonly line: number;

  constructor(line: number) {
    super('The text is not UTF-8');
    this.line = line;
  }
}

/** The encoding by the byte order mark, or by the zero byte of an ASCII letter in UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff ? second === 0xfe : first && second === 0) return 'utf-16le';
  return first === 0xfe ? 'utf-16be' : first === 0 && second ? 'utf-16be' : 'utf-8';
}

const linesIn = (text: string) => text.split('\n').length - 1;

/**
 * Decodes UTF-8 and UTF-16, without the byte order mark. Each part of the answer has whole lines, which end with `\n`.
 *
 * @throws EncodingError
 */
export async function* decoded(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  let encoding: string | undefined;
  let decoder = new TextDecoder();
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
