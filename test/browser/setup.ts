import { afterAll } from 'vitest';
import { browser } from './browser.ts';

/** The files of a worker share its browser: what one has opened ends with it. */
afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));
