import { existsSync } from 'node:fs';

/** The browser, as Debian's package `chromium` installs it unless `CHROMIUM` names another. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether the machine has no browser; a named one must exist. */
export const isMissing = process.env['CHROMIUM'] === undefined && !existsSync(CHROMIUM);

/** The tests in a real browser: apart from all others, on a local instance of their own, in a browser a worker. */
export const browser = {
  name: 'browser',
  include: ['test/browser/**/*.test.ts'],
  globalSetup: 'test/integration/global-setup.ts',
  setupFiles: ['test/integration/setup.ts', 'test/browser/setup.ts'],
  isolate: false,
};
