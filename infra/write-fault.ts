const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'your user may not write there',
  EPERM: 'your user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'your quota of its disk is used up',
  EEXIST: 'it is a file',
  ENOTDIR: 'its parent is a file',
  ENOENT: 'it cannot be created there',
};

/**
 * Explains why a folder cannot be written, with a remedy.
 *
 * @param help remedy, as a sentence
 * @returns an error with a text for people; errors that are not of the file system are returned unchanged
 */
export function writeFault(error: unknown, folder: string, help: string): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  return reason ? new Error(`${folder} cannot be written: ${reason}.\n${help}`, { cause: error }) : error;
}
