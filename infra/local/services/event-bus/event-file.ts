import { open, readFile } from 'node:fs/promises';
import type { EventBridgeEvent } from 'aws-lambda';

export type DeliveredEvent = EventBridgeEvent<string, unknown>;

/** Opens the file of delivered events. An incomplete last line was never acknowledged and is removed. */
export async function openEventFile(path: string) {
  const file = await open(path, 'a+', 0o600);
  let end = (await file.readFile()).lastIndexOf('\n') + 1;
  await file.truncate(end);
  let last: Promise<void> = Promise.resolve();

  const write = async (events: readonly DeliveredEvent[]) => {
    const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    try {
      await file.appendFile(bytes);
      await file.datasync();
      end += bytes.length;
    } catch (error) {
      await file.truncate(end);
      throw error;
    }
  };

  return {
    /** Appends events, one line of JSON each; resolves once they are on the disk. */
    append(events: readonly DeliveredEvent[]): Promise<void> {
      const written = last.then(() => write(events));
      last = written.catch(() => undefined);
      return written;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

/** Reads the events of a file; skips lines that are not JSON. */
export async function readEvents(path: string): Promise<DeliveredEvent[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as DeliveredEvent];
    } catch {
      return [];
    }
  });
}
