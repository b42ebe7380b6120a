import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The unit tests, which run the rules themselves: what the other tests run are bundles, which nobody mutates. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'unit',
    include: ['test/unit/**/*.test.ts'],
    exclude: ['test/unit/local/**'],
    globalSetup: 'test/unit/global-setup.ts',
    testTimeout: 30_000,
  },
});
