import { jobs } from '#lib/routes';
import { MINUTE_MS } from '#lib/time';
import type { Lambda } from './lambda.ts';

/** Invokes the scheduled jobs, which read no event, at once and then by their intervals; failures are in the log. */
export function startSchedule(lambda: Lambda) {
  const timers = jobs.flatMap(({ id, trigger }) => {
    if (typeof trigger === 'string') return [];
    const run = () => lambda.invoke(id, {}).catch(() => undefined);
    void run();
    return [setInterval(run, trigger.everyMinutes * MINUTE_MS)];
  });
  return {
    close() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
