/**
 * Characters of an element of the array: a space and a quote, a UUID, a quote and a comma. They are written in pairs,
 * which halves the writes and needs the space.
 */
const LENGTH = 40;
const PAIRS = LENGTH / 2;

const DIGITS = [...'0123456789abcdef'];

/** Texts of two characters each, as 16-bit numbers. */
const pairs = (texts: readonly string[]) =>
  new Uint16Array(Uint8Array.from(Buffer.from(texts.join(''), 'latin1')).buffer);

/** The two digits of a byte; a dash and a digit; a digit and a dash. */
const BYTE = pairs(DIGITS.flatMap((high) => DIGITS.map((low) => high + low)));
const DASHED = pairs(DIGITS.map((digit) => `-${digit}`));
const ENDED = pairs(DIGITS.map((digit) => `${digit}-`));

/** Pairs around UUIDs, and at the ends of the array. */
const [OPEN, CLOSE, FIRST, LAST] = pairs([' "', '",', '["', '"]']);

const VERSION = 0x70;
const VARIANT = 0x8;

/** Memory for a JSON array of `n` UUIDs, which {@link writeUuid} fills. */
export const openUuidText = (n: number) => new Uint16Array(n * PAIRS);

/**
 * Writes a UUID in the order of SQL Server.
 *
 * @param n index in the text
 * @param random 8 bytes from `offset` on; the version replaces four of their bits
 * @param counter 14 bits
 * @param time 48 bits
 */
export function writeUuid(
  text: Uint16Array,
  n: number,
  random: Uint8Array,
  offset: number,
  counter: number,
  time: number,
): void {
  const at = n * PAIRS + 1;
  const byte = (index: number) => random[offset + index] as number;
  const put = (index: number, pair: number | undefined) => {
    text[at + index] = pair as number;
  };
  put(-1, OPEN);
  put(0, BYTE[byte(0)]);
  put(1, BYTE[byte(1)]);
  put(2, BYTE[byte(2)]);
  put(3, BYTE[byte(3)]);
  put(4, DASHED[byte(4) >> 4]);
  put(5, BYTE[((byte(4) & 15) << 4) | (byte(5) >> 4)]);
  put(6, ENDED[byte(5) & 15]);
  put(7, BYTE[VERSION | (byte(6) & 15)]);
  put(8, BYTE[byte(7)]);
  put(9, DASHED[VARIANT | (counter >> 12)]);
  put(10, BYTE[(counter >> 4) & 255]);
  put(11, ENDED[counter & 15]);
  const high = Math.floor(time / 2 ** 32);
  put(12, BYTE[high >> 8]);
  put(13, BYTE[high & 255]);
  put(14, BYTE[(time >>> 24) & 255]);
  put(15, BYTE[(time >>> 16) & 255]);
  put(16, BYTE[(time >>> 8) & 255]);
  put(17, BYTE[time & 255]);
  put(18, CLOSE);
}

/** Completes the array and returns its text. */
export function closeUuidText(text: Uint16Array): string {
  if (text.length === 0) return '[]';
  text[0] = FIRST as number;
  text[text.length - 1] = LAST as number;
  return Buffer.from(text.buffer).toString('latin1');
}
