const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'your user may not write there',
  EPERM: 'your user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'your quota of its disk is used up',
  EEXIST: 'it is a file',
  ENOTDIR: 'what it should lie in is a file',
};

/**
 * Says why a folder cannot be written, and what to do.
 *
 * @param help a sentence that tells what to do
 * @returns an error with a text for people; any other fault than one of the file system as it is
 */
export function writeFault(error: unknown, folder: string, help: string): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  return reason ? new Error(`${folder} cannot be written: ${reason}.\n${help}`, { cause: error }) : error;
}
