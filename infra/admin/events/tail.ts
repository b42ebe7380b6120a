import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from '#infra/lines';
import { escapeControls } from '#lib/control-characters';
import { EVENTS_FILE } from '../../local/machine/resource-names.ts';
import type { DeliveredEvent } from '../../local/services/event-file.ts';
import { labelOf } from '../../local/services/subscriber.ts';
import { Refusal } from '../refusal.ts';
import { dataDirectory, type TargetOptions } from '../target.ts';

interface TailOptions extends TargetOptions {
  readonly json?: boolean;
  /** How many of the latest events are shown first. */
  readonly lines: number;
}

/**
 * Shows the events of a local instance until Ctrl-C: a line each, or with `--json` the events, on standard output.
 *
 * @throws Refusal `unsupported` on a stack, whose bus logs failed deliveries only; `unavailable` without a file
 */
export async function tail({ stack, data, json, lines }: TailOptions): Promise<undefined> {
  if (stack !== undefined)
    throw new Refusal(
      'unsupported',
      'events tail follows a local instance only. On a stack, add a rule whose target is a log group to the bus: aws logs tail <log group> --follow',
    );
  const path = join(dataDirectory(data), EVENTS_FILE);
  if (!existsSync(path))
    throw new Refusal('unavailable', `There is no ${path}: start an instance with "npm start"`);
  const child = spawn('tail', ['-n', `${lines}`, '-F', path], { stdio: ['ignore', 'pipe', 'ignore'] });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill());
  // The reader has gone, as after `| head`.
  process.stdout.once('error', () => child.kill());
  const print = async () => {
    for await (const line of linesOf(child.stdout.setEncoding('utf8')))
      process.stdout.write(`${json ? escapeControls(line) : readable(line)}\n`);
  };
  await Promise.all([once(child, 'close'), print()]);
  return undefined;
}

function readable(line: string): string {
  const event = JSON.parse(line) as DeliveredEvent;
  return `${event.time}  ${labelOf(event)}`;
}
