import project from '../../package.json' with { type: 'json' };

/** What the bundler defines for functions. */
export const define = { PROJECT_VERSION: JSON.stringify(project.version) };

/**
 * How the unit tests run. The files of a worker share their modules, which takes a third of the time: what a test
 * changes of them, it puts back.
 */
export const unit = {
  name: 'unit',
  include: ['test/unit/**/*.test.ts'],
  globalSetup: 'test/unit/global-setup.ts',
  setupFiles: 'test/unit/setup.ts',
  isolate: false,
  env: { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'eu-west-1' },
};
