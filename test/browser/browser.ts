import { type BrowserContextOptions, chromium } from 'playwright-core';
import { CHROMIUM } from './project.ts';

/** A name that its owner has pointed at loopback, as in DNS rebinding. */
export const REBOUND = 'rebound.example';

/** One Chromium for each worker, which ends with it. */
export const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: [
    // Chromium does not sandbox itself as root. What it opens here are pages of these tests.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
  ],
});

/** Opens a profile of its own, until the end of the test file. */
export async function openContext(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  // In milliseconds: ends waits for what never comes, on a busy machine too.
  context.setDefaultTimeout(120_000);
  return context;
}
