import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every folder of this test file, or of this program; they are removed at its end. */
export const folders: string[] = [];

/** An empty folder of its own. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'core-account-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
