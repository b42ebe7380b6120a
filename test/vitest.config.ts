import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { unit } from './unit/project.ts';

/** Each kind of test is a project, so that only what runs is set up: `--project unit`, or a path. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    maxWorkers: 2,
    // What is waited for comes soon, on a busy machine too; the limits are for what never comes.
    expect: { poll: { timeout: 30_000 } },
    // The programs that tests start, some fifty of them, load their modules in half the time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url)) },
    projects: [
      { extends: true, test: unit },
      { extends: true, test: { name: 'infra', include: ['test/infra/**/*.test.ts'], testTimeout: 300_000 } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: 'test/integration/global-setup.ts',
          setupFiles: 'test/integration/setup.ts',
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
