import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every folder of this test file; they go when it ends, unless one of its tests has failed. */
export const folders: string[] = [];

/** An empty folder of its own, for the data of an instance. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'core-account-'));
  folders.push(folder);
  return folder;
}
