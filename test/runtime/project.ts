import { join } from 'node:path';

/** The package of Lambda's runtime interface client. */
export const CLIENT_FOLDER = join(import.meta.dirname, 'client');

/** The program that Lambda starts for a function. */
export const CLIENT = join(CLIENT_FOLDER, 'node_modules/aws-lambda-ric/index.mjs');

/** The tests under Lambda's own runtime interface client: apart from all others, which need no compiler. */
export const runtime = {
  name: 'runtime',
  include: ['test/runtime/**/*.test.ts'],
  globalSetup: 'test/runtime/global-setup.ts',
  setupFiles: 'test/integration/setup.ts',
};
