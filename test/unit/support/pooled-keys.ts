import type * as Jose from 'jose';
import { beforeEach } from 'vitest';

/** The library with the same RSA keys for each test of a file, since they take long to generate: no test gets one twice. */
export function withPooledKeys(jose: typeof Jose): typeof Jose {
  const pool: ReturnType<typeof jose.generateKeyPair>[] = [];
  let taken = 0;
  beforeEach(() => {
    taken = 0;
  });
  return {
    ...jose,
    generateKeyPair(alg, options) {
      if (alg !== 'RS256') return jose.generateKeyPair(alg, options);
      const key = pool[taken] ?? jose.generateKeyPair(alg, options);
      pool[taken] = key;
      taken += 1;
      return key;
    },
  };
}
