import { randomUUID } from 'node:crypto';
import { jobs } from '#lib/routes';
import { ACCOUNT_ID } from '../machine/resource-names.ts';
import type { Lambda } from './lambda.ts';

const MINUTE_MS = 60_000;

/** Invokes the scheduled jobs at once and then by their intervals; failures are in the log. */
export function startSchedule(lambda: Lambda, region: string) {
  const timers = jobs.flatMap(({ id, trigger }) => {
    if (typeof trigger === 'string') return [];
    const run = () => lambda.invoke(id, scheduledEvent(id, region)).catch(() => undefined);
    void run();
    return [setInterval(run, trigger.everyMinutes * MINUTE_MS)];
  });
  return {
    close() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

export const scheduledEvent = (id: string, region: string) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: ACCOUNT_ID,
  time: `${new Date().toISOString().slice(0, 19)}Z`,
  region,
  resources: [`arn:aws:events:${region}:${ACCOUNT_ID}:rule/${id}`],
  detail: {},
});
