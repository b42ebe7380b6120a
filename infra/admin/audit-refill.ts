import type { Period } from '#lib/audit/log-reader';
import { MAX_LINE_AGE_DAYS, type RefillCounts, SOURCES } from '#lib/audit/refill';
import { DAY_MS, HOUR_MS } from '#lib/time';
import type { Command } from './command.ts';
import { option } from './options.ts';
import type { Target } from './target.ts';
import { counted } from './terminal/progress.ts';
import { since, TIME } from './times.ts';

interface Options {
  readonly since: number;
  readonly until?: number;
}

const OLDEST = `--since must be in the last ${MAX_LINE_AGE_DAYS} days: CloudWatch Logs accepts no older lines`;

/** Time in which the command ends. */
const ENDS_WITHIN_MS = HOUR_MS;

export const refillCommand: Command = {
  name: 'audit refill',
  description:
    'add the audit lines in the log of functions that the audit log or the table lacks; repeatable',
  options: [
    option('--since <time>', `start of the period: ${TIME}`, since).makeOptionMandatory(),
    option('--until <time>', 'end of the period, now by default', since),
  ],
  faultOf: ({ since, until = Date.now() }: Options) => {
    if (until <= since) return '--until must be later than --since';
    return since < Date.now() - MAX_LINE_AGE_DAYS * DAY_MS - ENDS_WITHIN_MS ? OLDEST : undefined;
  },
  group: 'administrator',
  inputs: {
    log: 'entries of a function that a stolen role forged in its own log are added, of its own action only',
  },
  needs: ['refill:start'],
  audited: true,
  run: async (target, { since, until = Date.now() }: Options) => {
    const oldest = Date.now() - MAX_LINE_AGE_DAYS * DAY_MS + ENDS_WITHIN_MS;
    const counts = await refillAll(target.refill, { since: Math.max(since, oldest), until });
    target.note({ ...counts });
    return { changed: counts.added > 0, ...counts };
  },
};

/** Asks until all lines of a period are read, with the counts so far on standard error. */
async function refillAll(ask: Target['refill'], period: Period): Promise<RefillCounts> {
  const counts = { read: 0, added: 0, refused: 0 };
  for (const source of SOURCES) {
    let next: string | undefined;
    do {
      const answer = await ask({ ...period, source, next });
      for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += answer[name];
      next = answer.next;
      if (next !== undefined) console.error(`${counted(counts.read, 'line')} read, ${counts.added} added`);
    } while (next !== undefined);
  }
  return counts;
}
