import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { logTo } from '#lib/log/log';

/** Output and exit status of a command. */
export interface Exit {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Standard input of a command. */
export type Input = string | Buffer | (NodeJS.ReadableStream & { isTTY?: boolean });

/** Runs a command in this process, which has the same environment and standard streams as before at the end. */
export async function printedBy(command: () => Promise<number>, input: Input = ''): Promise<Exit> {
  const environment = { ...process.env };
  const printed = { stdout: '', stderr: '' };
  const write = (name: keyof typeof printed) => (text: string | Uint8Array) => {
    // A workbook, a character a byte.
    printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
    return true;
  };
  const stdin =
    typeof input === 'string' || Buffer.isBuffer(input) ? Readable.from([Buffer.from(input)]) : input;
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never),
    vi.spyOn(process.stdout, 'write').mockImplementation(write('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(write('stderr')),
    vi.spyOn(console, 'log').mockImplementation((text) => void write('stdout')(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void write('stderr')(`${text}\n`)),
  ];
  logTo(process.stderr);
  try {
    return { code: await command(), ...printed };
  } finally {
    logTo(process.stdout);
    for (const spy of spies) spy.mockRestore();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, environment);
  }
}
