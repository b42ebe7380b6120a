import type { Command } from 'commander';
import { ALL_EVENTS } from '#lib/event/events';
import { pendingEvents, publishPending, stateOf } from '#lib/outbox/outbox';
import { since, TIME } from './audit.ts';
import { type ReplayOptions, replay } from './events/replay.ts';
import { sampleOf, sendSample } from './events/samples.ts';
import { Refusal } from './refusal.ts';
import { Answer, alone, reading, run, usage } from './run.ts';
import type { TargetOptions } from './target.ts';
import { counted } from './terminal/progress.ts';

export function eventCommands(program: Command): void {
  const events = program.command('events').description('list, publish and resend events');

  events
    .command('pending')
    .description('list the events in the outbox, oldest first')
    .action(
      reading(async ({ runtime }) =>
        (await pendingEvents(runtime.table)).map(({ detail, ...event }) => ({
          state: stateOf(event),
          ...JSON.parse(JSON.stringify(event), toIso),
          detail,
        })),
      ),
    );

  events
    .command('publish')
    .description('publish all events in the outbox now')
    .action(
      run(async ({ runtime }) => {
        const pending = await pendingEvents(runtime.table);
        const reasons = new Set<string>();
        const failed = await publishPending(runtime.table, runtime.publish, pending, (_, reason) =>
          reasons.add(reason),
        );
        const published = pending.length - failed.length;
        if (failed.length === 0) return { published };
        const message = `The bus refused ${failed.length} of ${counted(pending.length, 'event')}: ${[...reasons].join('; ')}`;
        throw new Refusal('not_published', message, { changed: published > 0 });
      }),
    );

  events
    .command('replay')
    .description('send the events of a period again: to the local subscriber, or to one rule of a stack')
    .requiredOption('--since <time>', `start of the period: ${TIME}`, since)
    .option('--until <time>', 'end of the period, now by default', since)
    .option('--rule <name>', 'with --stack: the rule that receives the events')
    .option('--no-wait', 'with --stack: do not wait for the end')
    .hook('preAction', usage(replayFault))
    .action(run(replay));

  const types = ALL_EVENTS.map(({ type }) => type).join(', ');
  events
    .command('sample [type]')
    .description(`print an event as subscribers receive it: ${types}`)
    .action(
      alone((type: string | undefined) => {
        const sample = sampleOf(type);
        return new Answer(sample, { output: JSON.stringify(sample, null, 2) });
      }),
    );

  events
    .command('send [type]')
    .description('send a sample to a subscriber, with the source core.account.sample')
    .option('--to <target>', 'URL or module, by default the subscriber of the local instance')
    .action(alone(sendSample));
}

const replayFault = ({ stack, rule, wait, since, until }: ReplayOptions & TargetOptions) => {
  if (until !== undefined && until <= since) return '--until must be later than --since';
  if (stack !== undefined)
    return rule === undefined ? '--stack needs a rule on its bus: --rule <name>' : undefined;
  return rule !== undefined || !wait ? '--rule and --no-wait need --stack' : undefined;
};

const toIso = (name: string, value: number) => (name.endsWith('At') ? new Date(value).toISOString() : value);
