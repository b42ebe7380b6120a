import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, inject, vi } from 'vitest';
import './support/connections.ts';
import { removeFolders } from './support/folder.ts';
import { drawFor, drawForFile } from './support/names.ts';

fc.configureGlobal({ seed: inject('seed') });

drawForFile();
beforeEach(({ task }) => drawFor(task.fullTestName));
afterEach(() => drawFor(''));

afterAll(removeFolders);

/** The files of a worker share its environment. */
afterAll(() => void vi.unstubAllEnvs());
