import { randomBytes } from 'node:crypto';
import type { Clock } from '../time.ts';

/** The counter has 14 bits. A new millisecond starts it below half, which leaves room for 8,192 UUIDs at least. */
const MAX_COUNTER = 0x3fff;
const SEED = 0x1fff;

/** For each UUID 8 bytes of its own, and 2 that may start the counter. */
const RANDOM_BYTES = 10;

const BYTES = 16;

/**
 * Creates a generator of UUIDs that SQL Server sorts by creation. Bytes in the order of the text: 6 random ones, the
 * version (7) with 12 random bits, the variant with a 14-bit counter, the Unix time in ms as 48 bits, big-endian. SQL
 * Server compares bytes 10 to 15, then 8, 9, then 7 down to 0.
 *
 * The time advances by 1 ms when the counter overflows, and stays when the clock is set back.
 *
 * @param random cryptographically secure source of bytes
 * @returns a function that creates `n` ascending UUIDs
 */
export function sqlServerUuids(
  now: Clock = Date.now,
  random: (bytes: number) => Uint8Array = randomBytes,
): (n: number) => string[] {
  let time = Number.NEGATIVE_INFINITY;
  let counter = 0;

  return (n) => {
    const pool = Buffer.from(random(n * RANDOM_BYTES));
    const bytes = Buffer.alloc(n * BYTES);
    for (let made = 0; made < n; made++) {
      const from = made * RANDOM_BYTES;
      const seed = pool.readUInt16BE(from + 8) & SEED;
      const clock = now();
      if (clock > time) {
        time = clock;
        counter = seed;
      } else if (++counter > MAX_COUNTER) {
        time++;
        counter = seed;
      }
      const at = made * BYTES;
      pool.copy(bytes, at, from, from + 8);
      bytes[at + 6] = 0x70 | ((bytes[at + 6] as number) & 0xf);
      bytes.writeUInt16BE(0x8000 | counter, at + 8);
      bytes.writeUIntBE(time, at + 10, 6);
    }
    const hex = bytes.toString('hex');
    return Array.from({ length: n }, (_, made) => {
      const one = hex.slice(made * 2 * BYTES, (made + 1) * 2 * BYTES);
      return `${one.slice(0, 8)}-${one.slice(8, 12)}-${one.slice(12, 16)}-${one.slice(16, 20)}-${one.slice(20)}`;
    });
  };
}
