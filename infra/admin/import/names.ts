import { createHash } from 'node:crypto';
import { foldCase } from '#lib/table/keys';

/** Most names: they take 96 MB then. */
export const MAX_NAMES = 4_000_000;

/** There are more names than can be told apart. */
export class TooManyNames extends Error {
  override name = 'too_many_accounts';
}

/**
 * Which names have come before, without regard to case, and on which line. Of each it keeps 64 bits of SHA-256, and 12 to
 * 48 bytes: that two of four million names are taken for one has odds of one to two million.
 */
export class Names {
  #hashes = new BigUint64Array(1024);
  #lines = new Uint32Array(1024);
  #size = 0;
  readonly #max: number;

  constructor(max = MAX_NAMES) {
    this.#max = max;
  }

  /**
   * Takes a name in.
   *
   * @returns the line on which it came before, if it did
   * @throws TooManyNames
   */
  add(name: string, line: number): number | undefined {
    const hash = createHash('sha256').update(foldCase(name)).digest().readBigUInt64LE() || 1n;
    const place = this.#placeOf(hash);
    if (this.#hashes[place] === hash) return this.#lines[place];
    if (this.#size === this.#max)
      throw new TooManyNames(`A file may have ${this.#max} accounts at most: split it`);
    this.#hashes[place] = hash;
    this.#lines[place] = line;
    this.#size += 1;
    if (this.#size * 2 > this.#hashes.length) this.#grow();
    return undefined;
  }

  /** Where a hash stands, or is to stand; zero stands for none. */
  #placeOf(hash: bigint): number {
    const mask = this.#hashes.length - 1;
    let place = Number(hash & 0xffff_ffffn) & mask;
    while (this.#hashes[place] !== 0n && this.#hashes[place] !== hash) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const [hashes, lines] = [this.#hashes, this.#lines];
    this.#hashes = new BigUint64Array(hashes.length * 2);
    this.#lines = new Uint32Array(lines.length * 2);
    for (const [index, hash] of hashes.entries())
      if (hash !== 0n) {
        const place = this.#placeOf(hash);
        this.#hashes[place] = hash;
        this.#lines[place] = lines[index] as number;
      }
  }
}
