import { afterAll, vi } from 'vitest';
import { newFolder, removeFolders } from '../unit/support/folder.ts';

// CDK leaves a folder of each app in the temporary one.
vi.stubEnv('TMPDIR', newFolder());

afterAll(() => {
  vi.unstubAllEnvs();
  removeFolders();
});
