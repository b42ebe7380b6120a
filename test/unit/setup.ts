import { afterAll, vi } from 'vitest';
import './support/connections.ts';
import { removeFolders } from './support/folder.ts';

afterAll(removeFolders);

/** The files of a worker share its environment. */
afterAll(() => void vi.unstubAllEnvs());
