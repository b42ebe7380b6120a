import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../in-parallel.ts';
import { DOWN } from '../wire/dynamodb-proxy.ts';
import { cancel, createAccounts } from './load.ts';
import { MAX_SWEEPS, type Outcome, tallyOf } from './rehearse.ts';
import type { Stage } from './stage.ts';
import { isInOrder } from './tally.ts';

export interface Outage extends Outcome {
  /** From the moment when the bus was back until the last event was delivered. */
  readonly secondsToDeliver: number;
}

/**
 * The bus is down for a while, in which accounts are cancelled; the instance sweeps by its own schedule, and knows of
 * nothing. It is back right after a sweep has ended, so that the sweeps from then on can be counted.
 */
export async function busOutage(stage: Stage, seconds: number, cancels: number): Promise<Outage> {
  const accounts = await createAccounts(stage.table, 'outage', cancels);
  const until = performance.now() + seconds * 1000;
  stage.events.script(() => DOWN);
  await inParallel(accounts, (account) => cancel(stage.service(), account), 8);
  await sleep(Math.max(0, until - performance.now()));
  const last = await stage.sweeps();
  await stage.swept(last);
  const [waiting, delivered] = [await stage.pending(), stage.deliveries().length];
  stage.calm();
  const back = performance.now();
  const before = await stage.sweeps();
  let sweeps = 0;
  do await stage.swept(before + sweeps++);
  while (sweeps < MAX_SWEEPS && (await stage.pending()).length > 0);
  const secondsToDeliver = Math.round((performance.now() - back) / 1000);
  const ordered = isInOrder(
    waiting.map(({ id }) => id),
    stage.deliveries().slice(delivered),
  );
  const down = Math.round(seconds);
  return {
    ...(await tallyOf(stage, `the bus is down for ${down} s`, accounts)),
    sweeps,
    ordered,
    secondsToDeliver,
  };
}
