import { open, readFile } from 'node:fs/promises';
import type { DeliveredEvent } from './put-events.ts';

/** Is told what was written, in the order of the file, and where in it that ends. */
export type Written = (events: readonly DeliveredEvent[], end: number) => void;

export interface EventFile {
  /** Where it ends, in bytes. */
  readonly end: number;
  /** Appends events, one line of JSON each; resolves once they are on the disk, and `written` was told. */
  append(events: readonly DeliveredEvent[]): Promise<void>;
  close(): Promise<void>;
}

interface Appending {
  readonly events: readonly DeliveredEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The stream of delivered events. What comes while the disk is busy is written together next. A line that was cut off,
 * as by a loss of power, was never acknowledged: the file goes on before it.
 */
export async function openEventFile(path: string, written: Written): Promise<EventFile> {
  const file = await open(path, 'a+', 0o600);
  const text = await file.readFile();
  let end = text.lastIndexOf('\n') + 1;
  await file.truncate(end);
  let waiting: Appending[] = [];
  let writing: Promise<void> | undefined;

  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const events = batch.flatMap((each) => each.events);
      const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      try {
        await file.appendFile(bytes);
        await file.datasync();
        end += bytes.length;
        written(events, end);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    writing = undefined;
  };

  return {
    get end() {
      return end;
    },
    append: (events) =>
      events.length === 0
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            waiting.push({ events, resolve, reject });
            writing ??= writeAll();
          }),
    async close() {
      await writing;
      await file.close();
    },
  };
}

/** The events of a file from a place on, in bytes; a line that is not JSON is passed over. */
export async function readEvents(path: string, from = 0): Promise<DeliveredEvent[]> {
  const text = await readFile(path);
  const lines = text.subarray(from, text.lastIndexOf('\n') + 1).toString();
  return lines.split('\n').flatMap((line) => parse(line) ?? []);
}

function parse(line: string): DeliveredEvent | undefined {
  try {
    return JSON.parse(line) as DeliveredEvent;
  } catch {
    return undefined;
  }
}
