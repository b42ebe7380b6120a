import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { browser, CHROMIUM, isMissing } from './browser/project.ts';
import { runtime } from './runtime/project.ts';
import { unit } from './unit/project.ts';

/** What only some machines can run is apart from the others, each in a mode of its own. */
const APART = [browser, runtime];

/** Each kind of test is a project, so that only what runs is set up: `--project unit`, or a path. */
export default defineConfig(({ mode }) => {
  if (mode === browser.name && isMissing) {
    console.log(`skipped: no Chromium at ${CHROMIUM} (CHROMIUM names another)`);
    process.exit(0);
  }
  const apart = APART.find(({ name }) => name === mode);
  return {
    root: fileURLToPath(new URL('..', import.meta.url)),
    test: {
      maxWorkers: 2,
      // What is waited for comes soon, on a busy machine too; the limits are for what never comes.
      expect: { poll: { timeout: 30_000 } },
      // The programs that tests start, some fifty of them, load their modules in half the time.
      env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url)) },
      projects: apart
        ? [{ extends: true, test: apart }]
        : [
            { extends: true, test: unit },
            {
              extends: true,
              test: { name: 'infra', include: ['test/infra/**/*.test.ts'], testTimeout: 300_000 },
            },
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
  };
});
