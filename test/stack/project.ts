/** The tests on the emulator: apart from all others, since they need Python and minutes. */
export const stack = {
  name: 'stack',
  include: ['test/stack/**/*.test.ts'],
  globalSetup: 'test/stack/global-setup.ts',
  setupFiles: 'test/stack/setup.ts',
  fileParallelism: false,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 500 } },
};
