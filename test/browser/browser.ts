import { chromium } from 'playwright-core';
import { afterAll } from 'vitest';
import { CHROMIUM } from './project.ts';

/** A name that its owner has pointed at loopback, as in DNS rebinding. */
export const REBOUND = 'rebound.example';

/** One Chromium for each test file, with an empty profile; it ends with the file. */
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

afterAll(() => browser.close());
