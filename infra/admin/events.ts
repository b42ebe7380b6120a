import type { Command } from 'commander';
import { Failure } from '#lib/failure';
import { pendingEvents, publishPending } from '#lib/outbox/outbox';
import { reading, run } from './run.ts';

/** `admin events ...`: the outbox. */
export function eventCommands(program: Command): void {
  const events = program.command('events').description('events that are yet to be published');

  events
    .command('pending')
    .description('list the events in the outbox, oldest first, with those set aside after 24 hours')
    .action(
      reading(async ({ runtime }) =>
        (await pendingEvents(runtime.table)).map((event) => ({
          state: event.setAsideAt === undefined ? 'pending' : 'set aside',
          ...event,
        })),
      ),
    );

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
}
