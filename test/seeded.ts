import { createHash } from 'node:crypto';

/** Creates texts of hexadecimal digits that differ from each other, the same ones for each use of a seed in a scope. */
export function seeded(seed: string, scope: string): () => string {
  let count = 0;
  return () =>
    createHash('sha256')
      .update(JSON.stringify([seed, scope, count++]))
      .digest('hex');
}
