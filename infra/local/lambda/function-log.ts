import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Description } from '#lib/log';
import { say } from '../machine/terminal.ts';

/** The log of all functions, as CloudWatch Logs keeps it in the cloud. */
export interface FunctionLog {
  readonly path: string;
  /** Appends whatever a function writes. */
  take(output: Readable): void;
  /** Appends a line of the platform itself. */
  write(line: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

/** Opens the log; of every error in it the terminal is told in one line. */
export function openFunctionLog(path: string): FunctionLog {
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  file.on('error', ({ message }) => say(`The log cannot be written: ${message}`));
  const append = (line: string) => {
    if (file.writable) file.write(`${line}\n`);
    if (line.startsWith('{"level":"error"')) tell(line);
  };
  return {
    path,
    take(output) {
      let rest = '';
      output.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(append);
      });
      output.once('end', () => {
        if (rest !== '') append(rest);
      });
    },
    write: (line) => append(JSON.stringify(line)),
    async close() {
      file.end();
      await finished(file).catch(() => undefined);
    },
  };
}

interface ErrorLine {
  readonly function?: string;
  readonly requestId?: string;
  readonly message?: string;
  readonly error?: Description;
}

/** `error  account.lock  <request id>  TypeError: ... at transition (lib/lifecycle/transition.ts:60:5)` */
function tell(line: string) {
  try {
    const { function: id, requestId, message, error } = JSON.parse(line) as ErrorLine;
    const where = error?.stack?.find((frame) => /\(?(lib|functions)\//.test(frame));
    const what = error ? `${error.name}: ${error.message ?? ''}` : '';
    say(['error', id, requestId, message, what, where].filter(Boolean).join('  '));
  } catch {
    say(line);
  }
}
