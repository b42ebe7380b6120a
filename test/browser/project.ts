import { existsSync } from 'node:fs';

/** As Debian's packages install them: the same engine, without what only windows need, takes less CPU time. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** The browser, unless `CHROMIUM` names another. */
export const CHROMIUM = process.env['CHROMIUM'] ?? INSTALLED.find(existsSync) ?? INSTALLED[0];

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
