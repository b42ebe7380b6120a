import { randomBytes } from 'node:crypto';
import { stringify } from 'uuid';
import type { Clock } from '../time.ts';

/** The counter has 14 bits; a new millisecond starts it below half, so that at least 8,192 UUIDs follow. */
const MAX_COUNTER = 0x3fff;
const SEED = 0x1fff;

/** Of each UUID: 8 bytes of its own, 2 that may start the counter. */
const RANDOM_BYTES = 10;

/**
 * A generator of UUIDs that SQL Server sorts by creation. Text order of the bytes: 6 random, the version (7)
 * and 12 random bits, the variant and a 14-bit counter, the Unix time in ms as 48 bits, big-endian. SQL
 * Server compares them in the order 10 to 15, 8, 9, then 7 down to 0.
 *
 * Where the counter overflows, the time advances by 1 ms; where the clock is set back, the time stays.
 *
 * @param random a cryptographically secure source of bytes
 * @returns a function that makes `n` UUIDs, each after all before it
 */
export function sqlServerUuids(
  now: Clock = Date.now,
  random: (bytes: number) => Uint8Array = randomBytes,
): (n: number) => string[] {
  let time = Number.NEGATIVE_INFINITY;
  let counter = 0;

  const advance = (seed: number) => {
    const clock = now();
    if (clock > time) {
      time = clock;
      counter = seed;
    } else if (++counter > MAX_COUNTER) {
      time++;
      counter = seed;
    }
  };

  return (n) => {
    const pool = Buffer.from(random(n * RANDOM_BYTES));
    return Array.from({ length: n }, (_, index) => {
      const offset = index * RANDOM_BYTES;
      advance(pool.readUInt16BE(offset + 8) & SEED);
      const bytes = Buffer.alloc(16);
      pool.copy(bytes, 0, offset, offset + 8);
      bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
      bytes.writeUInt16BE(0x8000 | counter, 8);
      bytes.writeUIntBE(time, 10, 6);
      return stringify(bytes);
    });
  };
}
