import { randomBytes } from 'node:crypto';
import type { Clock } from '../time.ts';
import { closeUuidText, openUuidText, writeUuid } from './uuid-text.ts';

/** The counter has 14 bits. A new millisecond starts it below half, which leaves room for 8,192 UUIDs at least. */
const MAX_COUNTER = 0x3fff;
const SEED = 0x1fff;

/** For each UUID 8 bytes of its own, and 2 that may start the counter. */
const RANDOM_BYTES = 10;

/** UUIDs for which the clock is read once: reading it costs as much as one UUID. */
const BATCH = 16;

/**
 * Creates a generator of UUIDs that SQL Server sorts by creation. Bytes in the order of the text: 6 random ones, the
 * version (7) with 12 random bits, the variant with a 14-bit counter, the Unix time in ms as 48 bits, big-endian. SQL
 * Server compares bytes 10 to 15, then 8, 9, then 7 down to 0.
 *
 * The time advances by 1 ms when the counter overflows, and stays when the clock is set back.
 *
 * @param random cryptographically secure source of bytes
 * @returns a function that creates `n` ascending UUIDs as a JSON array
 */
export function sqlServerUuids(
  now: Clock = Date.now,
  random: (bytes: number) => Uint8Array = randomBytes,
): (n: number) => string {
  let lastTime = Number.NEGATIVE_INFINITY;
  let lastCounter = 0;

  return (n) => {
    const pool = random(n * RANDOM_BYTES);
    const text = openUuidText(n);
    let time = lastTime;
    let counter = lastCounter;
    for (let made = 0; made < n; made++) {
      const offset = made * RANDOM_BYTES;
      const seed = (((pool[offset + 8] as number) << 8) | (pool[offset + 9] as number)) & SEED;
      const clock = made % BATCH === 0 ? now() : time;
      if (clock > time) {
        time = clock;
        counter = seed;
      } else if (++counter > MAX_COUNTER) {
        time++;
        counter = seed;
      }
      writeUuid(text, made, pool, offset, counter, time);
    }
    lastTime = time;
    lastCounter = counter;
    return closeUuidText(text);
  };
}
