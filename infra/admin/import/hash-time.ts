import { newPassword } from '#lib/password/hash';
import { duration } from '../bulk/progress.ts';
import { number } from '../terminal/counted.ts';
import type { HashPool } from './hash-pool.ts';

/** With fewer passwords, nobody waits for long. */
const MIN_PASSWORDS = 20;
/** The lowest there is: it takes a millisecond, and what is left is the start of a thread. */
const LOWEST_COST = 4;

/**
 * How long so many passwords take, of which it makes one on each processor.
 *
 * @returns a text; undefined where they are too few to tell
 */
export async function expectedTime(
  { size, hash }: HashPool,
  passwords: number,
  cost: number,
): Promise<string | undefined> {
  if (passwords < MIN_PASSWORDS) return undefined;
  const password = newPassword('of nobody', '');
  const onEach = (cost: number) => Promise.all(Array.from({ length: size }, () => hash(password, cost)));
  await onEach(LOWEST_COST);
  const started = performance.now();
  await onEach(cost);
  const seconds = (performance.now() - started) / 1000;
  return `Hashing ${number(passwords)} passwords at cost ${cost} takes about ${duration((passwords / size) * seconds)}: ${seconds.toFixed(2)} s each, ${size} at once, as there are processors`;
}
