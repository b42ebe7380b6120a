/** How the tests under Lambda's own runtime interface client run: apart from all others, which need no compiler. */
export const runtime = {
  name: 'runtime',
  include: ['test/runtime/**/*.test.ts'],
  globalSetup: 'test/runtime/global-setup.ts',
  setupFiles: 'test/integration/setup.ts',
  testTimeout: 120_000,
  hookTimeout: 120_000,
};
