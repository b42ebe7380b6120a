import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { nameTests, seededBytes } from '../names.ts';
import { removeFolders } from './support/folder.ts';
import { suspendLimits } from './support/limits.ts';

suspendLimits();
nameTests();
fc.configureGlobal({ seed: seededBytes(4).readInt32BE() });

afterAll(removeFolders);

/** The files of a worker share its environment. */
afterAll(() => {
  vi.unstubAllEnvs();
  // The files of a worker share their clock, too.
  vi.useRealTimers();
});
