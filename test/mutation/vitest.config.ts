import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { WHOLE } from '../matrix.ts';
import { define, limits, unit } from '../unit/project.ts';

/** Runs short files first: the first failure ends the run of a mutant. */
class ShortFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return files.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  }
}

/** The unit tests, which run the rules themselves: what the other tests run are bundles, which nobody mutates. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  define,
  test: {
    ...limits,
    ...unit,
    env: { ...unit.env, ...WHOLE },
    sequence: { sequencer: ShortFirst },
    include: process.env['MUTATION_TESTS']?.split(',') ?? unit.include,
    // These import modules in their tests, so that Stryker takes what is evaluated once for covered by them.
    exclude: ['test/unit/local/**', 'test/unit/handler/writes.matrix.test.ts', '**/*.slow.test.ts'],
  },
});
