import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { say } from './terminal.ts';

/** The log of all functions, as CloudWatch Logs keeps it in the cloud. */
export interface FunctionLog {
  readonly path: string;
  /** Appends whatever a function writes. */
  take(output: Readable): void;
  /** Appends a line of the platform itself. */
  write(line: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

export function openFunctionLog(path: string): FunctionLog {
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  file.on('error', ({ message }) => say(`The log cannot be written: ${message}`));
  const append = (text: string | Buffer) => {
    if (file.writable) file.write(text);
  };
  return {
    path,
    take: (output) => output.on('data', append),
    write: (line) => append(`${JSON.stringify(line)}\n`),
    async close() {
      file.end();
      await finished(file).catch(() => undefined);
    },
  };
}
