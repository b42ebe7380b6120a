import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { unit } from '../unit/project.ts';

/** The unit tests, which run the rules themselves: what the other tests run are bundles, which nobody mutates. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    ...unit,
    include: process.env['MUTATION_TESTS']?.split(',') ?? unit.include,
    exclude: ['test/unit/local/**', '**/*.slow.test.ts'],
  },
});
