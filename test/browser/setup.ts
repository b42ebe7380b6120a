import { afterAll } from 'vitest';
import { browser } from './browser.ts';

/** The files of a worker share its browser: each closes the pages that it opened. */
afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));
