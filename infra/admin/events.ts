import { type Command, InvalidArgumentError } from 'commander';
import { EVENTS } from '#lib/event/events';
import { Failure } from '#lib/failure';
import { pendingEvents, publishPending } from '#lib/outbox/outbox';
import { since } from './audit.ts';
import { listPending } from './events/pending.ts';
import { type ReplayOptions, replay } from './events/replay.ts';
import { sampleOf } from './events/samples.ts';
import { send } from './events/send.ts';
import { tail } from './events/tail.ts';
import { alone, reading, run } from './run.ts';

/** `admin events ...` */
export function eventCommands(program: Command): void {
  const events = program.command('events').description('events: what waits, what comes, and once more');

  events
    .command('pending')
    .description(
      'list the events in the outbox, oldest first, with those set aside after 24 hours; of a local instance also what waits for the subscriber',
    )
    .action(reading(listPending));

  events
    .command('publish')
    .description('publish the events in the outbox now, with those set aside')
    .action(
      run(async ({ runtime }) => {
        const pending = await pendingEvents(runtime.table);
        const failed = await publishPending(runtime.table, runtime.publish, pending);
        if (failed.length > 0) throw new Failure('unavailable');
        return { published: pending.length };
      }),
    );

  events
    .command('tail')
    .description('show the events of a local instance as they come, a line each; with --json the events')
    .option('--lines <number>', 'how many of the last ones to show first', count, 10)
    .action(alone((_: object, command: Command) => tail(command.optsWithGlobals())));

  events
    .command('replay')
    .description('send the events of a time once more, to one rule only')
    .requiredOption('--since <time>', 'ISO 8601, or how long ago: 30m, 24h, 7d', since)
    .option('--until <time>', 'the same; now unless told', since)
    .requiredOption('--rule <name>', 'a rule on the bus; on a local instance "subscriber"')
    .option('--name <name>', 'what the replay is called; made up unless told')
    .option('--no-wait', 'do not wait until it is done')
    .action(run((target, options: ReplayOptions) => replay(target, options)));

  const types = EVENTS.map(({ type }) => type).join(', ');
  events
    .command('sample [type]')
    .description(`print an event as subscribers receive it, on standard output: ${types}`)
    .action(
      alone((type: string | undefined, _: object, command: Command) => {
        const sample = sampleOf(type, Date.now());
        if (command.optsWithGlobals()['json']) return sample;
        console.log(JSON.stringify(sample, null, 2));
        return undefined;
      }),
    );

  events
    .command('send [type]')
    .description('post a sample to a subscriber, signed with SUBSCRIBE_SECRET or the secret of the instance')
    .requiredOption('--to <url>', 'where to')
    .action(
      alone((type: string | undefined, _: object, command: Command) => send(type, command.optsWithGlobals())),
    );
}

function count(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
