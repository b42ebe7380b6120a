import { randomBytes } from 'node:crypto';
import type { Clock } from '../time.ts';
import { closeUuidText, openUuidText, writeUuid } from './uuid-text.ts';

/** The counter has 14 bits; a new millisecond starts it below half, so that at least 8,192 UUIDs follow. */
const MAX_COUNTER = 0x3fff;
const SEED = 0x1fff;

/** Of each UUID: 8 bytes of its own, 2 that may start the counter. */
const RANDOM_BYTES = 10;

/** So many UUIDs share a look at the clock, which costs as much as making one; together they take some microseconds. */
const BATCH = 16;

/**
 * A generator of UUIDs that SQL Server sorts by creation. Text order of the bytes: 6 random, the version (7)
 * and 12 random bits, the variant and a 14-bit counter, the Unix time in ms as 48 bits, big-endian. SQL
 * Server compares them in the order 10 to 15, 8, 9, then 7 down to 0.
 *
 * Where the counter overflows, the time advances by 1 ms; where the clock is set back, the time stays.
 *
 * @param random a cryptographically secure source of bytes
 * @returns a function that makes `n` UUIDs, each after all before it, as a JSON array
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
