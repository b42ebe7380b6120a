import { accountKey } from '#lib/table/keys';
import { getAll } from '#lib/table/read';
import type { FaultKind } from './faults.ts';
import { type Asked, cancelAll, createAccounts } from './load.ts';
import type { Stage } from './stage.ts';
import { holds, isInOrder, type Row, tally } from './tally.ts';

/** The state after a kind of fault has ended. */
export interface Outcome extends Row {
  /** Sweeps until nothing was left. */
  readonly sweeps: number;
  /** Whether waiting events were delivered oldest first. */
  readonly ordered: boolean;
}

/** Sweeps that deliver everything after the end of faults. */
const MAX_SWEEPS = 2;

export const isGood = (outcome: Outcome) => holds(outcome) && outcome.sweeps <= MAX_SWEEPS && outcome.ordered;

/** Compares the table with the deliveries. */
export async function tallyOf(stage: Stage, fault: string, asked: readonly Asked[]): Promise<Row> {
  const accounts = await getAll(
    stage.table,
    asked.map(({ username }) => accountKey(username)),
  );
  const states = accounts.filter((account) => account !== undefined);
  return tally(fault, asked, states, stage.deliveries(), await stage.pending());
}

/**
 * Ends all faults, starts the instance, and waits for two sweeps at most: the first comes with the start, the next a
 * minute later.
 */
export async function recover(stage: Stage, fault: string, asked: readonly Asked[]): Promise<Outcome> {
  await stage.stop();
  stage.calm();
  const [waiting, before] = await Promise.all([stage.pending(), stage.sweeps()]);
  const delivered = stage.deliveries().length;
  await stage.start();
  let sweeps = 0;
  do await stage.swept(before + sweeps++);
  while (sweeps < MAX_SWEEPS && (await stage.pending()).length > 0);
  const ids = waiting.map(({ id }) => id);
  const ordered = isInOrder(ids, stage.deliveries().slice(delivered));
  return { ...(await tallyOf(stage, fault, asked)), sweeps, ordered };
}

let rehearsals = 0;

/** Requests cancels during a fault, which also affects the sweep of a restart, and compares the results. */
export async function rehearse(stage: Stage, kind: FaultKind, cancels: number): Promise<Outcome> {
  const { fault, dynamodb, events, slow = false } = kind;
  // Every third account is cancelled twice.
  const accounts = await createAccounts(stage.table, `fault-${rehearsals++}`, Math.ceil((cancels * 3) / 4));
  if (dynamodb) stage.dynamodb.script(dynamodb);
  if (events) stage.events.script(events);
  await cancelAll(stage.service, accounts);
  await stage.stop();
  const before = await stage.sweeps();
  await stage.start();
  await stage.swept(before, slow ? 8000 : 30_000);
  return recover(stage, fault, accounts);
}
