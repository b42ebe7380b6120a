import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { Refusal } from '../refusal.ts';

/** A file that a command writes; only its owner can read it, since its lines may have passwords. */
export interface NewFile {
  write(text: string): void;
  /** Resolves when everything is written; a file without a text is removed. */
  end(): Promise<void>;
}

/** @throws Refusal `file_exists`, `no_file` */
export async function createFile(path: string): Promise<NewFile> {
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new Refusal('file_exists', `${path} exists: name a new file`);
    throw new Refusal('no_file', `Cannot create ${path} (${error.code})`);
  });
  const stream = createWriteStream(path, { fd: handle });
  // A full disk: the end reports it.
  stream.on('error', () => undefined);
  let isEmpty = true;
  return {
    write: (text) => {
      isEmpty = false;
      stream.write(text);
    },
    end: async () => {
      stream.end();
      await finished(stream);
      if (isEmpty) await rm(path);
    },
  };
}
