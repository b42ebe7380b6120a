import { watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENTS_FILE } from '../../local/machine/resource-names.ts';
import { labelOf } from '../../local/services/event-label.ts';
import type { DeliveredEvent } from '../../local/services/put-events.ts';
import { dataDirectories, type TargetOptions } from '../target.ts';
import { Refused } from './refused.ts';

interface TailOptions extends TargetOptions {
  readonly json?: boolean;
  /** How many of the events that are there already are shown first. */
  readonly lines: number;
}

/**
 * Shows the events of a local instance as they come, until Ctrl-C: a line each on standard error, or with `--json` the
 * events themselves on standard output.
 *
 * @throws Refused `unsupported` on a stack, whose bus logs only what it cannot deliver
 */
export async function tail({ stack, data, json, lines }: TailOptions): Promise<undefined> {
  if (stack !== undefined)
    throw new Refused(
      'unsupported',
      'The log of the bus has only what it cannot deliver. Make a rule on it whose target is a log group, and follow that: aws logs tail <log group> --follow',
    );
  const show = (line: string) => {
    if (json) process.stdout.write(`${line}\n`);
    else console.error(readable(line));
  };
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    // Nobody reads any more, as after `| head`.
    process.stdout.once('error', () => resolve());
  });
  const directories = dataDirectories(data).filter((name) => name !== undefined);
  await follow(
    directories.map((name) => join(name, EVENTS_FILE)),
    lines,
    show,
    ended,
  );
}

function readable(line: string): string {
  const event = JSON.parse(line) as DeliveredEvent & { readonly 'replay-name'?: string };
  return `${event.time}  ${labelOf(event)}`;
}

/** Shows the last lines of the first of these files that there is, and further ones as they come. */
async function follow(
  paths: readonly string[],
  last: number,
  show: (line: string) => void,
  ended: Promise<void>,
) {
  const opened = await Promise.all(paths.map((path) => open(path).catch(() => undefined)));
  const index = opened.findIndex(Boolean);
  const [path, file] = [paths[index], opened[index]];
  if (!path || !file)
    throw new Refused('unavailable', `There is no ${paths.at(-1)}: start an instance with "npm start"`);

  let [place, rest] = [0, Buffer.alloc(0)];
  const linesSince = async (): Promise<string[]> => {
    const { size } = await file.stat();
    if (size < place) [place, rest] = [0, Buffer.alloc(0)];
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - place), 0, size - place, place);
    place += bytesRead;
    const text = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const whole = text.lastIndexOf('\n') + 1;
    rest = text.subarray(whole);
    return text.subarray(0, whole).toString().split('\n').filter(Boolean);
  };
  const lines = await linesSince();
  for (const line of last > 0 ? lines.slice(-last) : []) show(line);

  let showing = Promise.resolve();
  const showMore = () => {
    showing = showing.then(async () => (await linesSince()).forEach(show));
  };
  const watcher = watch(path, showMore);
  // What has come before there was somebody to notice.
  showMore();
  await ended;
  watcher.close();
  await showing;
  await Promise.all(opened.map((each) => each?.close()));
}
