import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder of what tests fetch or compile: all checkouts of a user share it. */
export const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'core-account');

/**
 * Creates a folder of the cache, unless it exists: with all of its files or not at all.
 *
 * @param fill returns whether it has succeeded
 * @returns whether the folder exists
 */
export function fillOnce(folder: string, fill: (folder: string) => boolean): boolean {
  if (existsSync(folder)) return true;
  try {
    mkdirSync(CACHE, { recursive: true });
    accessSync(CACHE, constants.W_OK);
  } catch (error) {
    console.log((error as Error).message);
    return false;
  }
  const filling = mkdtempSync(`${folder}.`);
  try {
    // Another run may have filled it in the meantime.
    if (fill(filling) && !existsSync(folder)) renameSync(filling, folder);
  } finally {
    rmSync(filling, { recursive: true, force: true });
  }
  return existsSync(folder);
}
