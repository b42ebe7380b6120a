import { setTimeout as sleep } from 'node:timers/promises';
import { cancel } from '#lib/account/contracts';
import { relayOutbox } from '#lib/outbox/jobs';
import type { Script } from '../wire/dynamodb-proxy.ts';
import { FAILED } from '../wire/event-bus.ts';
import { type Asked, cancelAll, createAccounts } from './load.ts';
import { type Outcome, recover } from './rehearse.ts';
import type { Stage } from './stage.ts';

/** A command of a function, before or after which the instance is killed. */
interface Step {
  readonly sender: string;
  readonly wire: 'dynamodb' | 'events';
  readonly operation: string;
  readonly when: 'before' | 'after';
}

const stepsOf = (sender: string, ...commands: readonly (readonly [Step['wire'], string])[]): Step[] =>
  commands.flatMap(([wire, operation]) =>
    (['before', 'after'] as const).map((when) => ({ sender, wire, operation, when })),
  );

/** Every command of a cancel, in their order. */
export const OF_CANCEL = stepsOf(
  cancel.id,
  ['dynamodb', 'GetItem'],
  ['dynamodb', 'BatchGetItem'],
  ['dynamodb', 'TransactWriteItems'],
  ['events', 'PutEvents'],
  ['dynamodb', 'DeleteItem'],
);

/** Every command of a sweep; it notes an event that the bus refuses. */
const OF_SWEEP = stepsOf(
  relayOutbox.id,
  ['dynamodb', 'Query'],
  ['dynamodb', 'UpdateItem'],
  ['events', 'PutEvents'],
  ['dynamodb', 'DeleteItem'],
);

const refusing: Script = (_operation, { Entries }) => ({
  status: 200,
  body: { FailedEntryCount: 1, Entries: (Entries as object[]).map(() => FAILED) },
});

/** Kills the instance at the n-th command of a step; the engine, or the bus, sees the command only `after`. */
function killAt(stage: Stage, { sender, wire, operation, when }: Step, nth: number) {
  let met = 0;
  const other: Script = operation === 'UpdateItem' ? refusing : () => undefined;
  const script: Script = (of, input, by) => {
    if (of !== operation || by !== sender || ++met !== nth) return undefined;
    if (when === 'after')
      return {
        input,
        answer: (body) => {
          stage.kill();
          return body;
        },
      };
    stage.kill();
    return 'reset';
  };
  stage.dynamodb.script(wire === 'dynamodb' ? script : () => undefined);
  stage.events.script(wire === 'events' ? script : other);
  return () => met >= nth;
}

const nameOf = ({ operation, when }: Step) => `${when} ${operation}`;

/**
 * Kills the instance once at every step of a cancel, while as many are asked for as `cancels` says; what was not
 * answered is asked for again.
 */
export async function killInCancels(
  stage: Stage,
  cancels: number,
  steps: readonly Step[] = OF_CANCEL,
): Promise<Outcome[]> {
  const groups = new Map<string, Asked[]>();
  for (const step of steps) {
    const accounts = await createAccounts(stage.table, `kill-${groups.size}`, Math.ceil((cancels * 3) / 4));
    const met = killAt(stage, step, Math.ceil(accounts.length / 2));
    await cancelAll(stage.service, accounts);
    if (!met()) throw new Error(`No cancel comes to ${nameOf(step)}`);
    stage.calm();
    await stage.start();
    const unanswered = accounts.filter(({ ok }) => ok === 0);
    await cancelAll(stage.service, unanswered);
    groups.set(`kill -9 of a cancel, ${nameOf(step)}`, accounts);
  }
  return recover(stage, groups);
}

/** How long a sweep leaves young events alone. */
const GRACE_MS = 5000;

/** Kills the instance once at every step of a sweep over cancels that the bus has refused. */
export async function killInSweeps(stage: Stage, cancels: number): Promise<Outcome[]> {
  const accounts = await createAccounts(stage.table, 'swept', Math.ceil((cancels * 3) / 4));
  stage.events.script(refusing);
  await cancelAll(stage.service, accounts);
  await stage.stop();
  await sleep(GRACE_MS);
  for (const step of OF_SWEEP) {
    const met = killAt(stage, step, 1);
    const before = await stage.sweeps();
    // It may be killed before it is ready.
    await stage.start().catch(() => undefined);
    for (let waited = 0; stage.running() && waited < 100; waited++) await sleep(100);
    if (!met())
      throw new Error(`No sweep comes to ${nameOf(step)}; ${(await stage.sweeps()) - before} were made`);
  }
  return recover(stage, new Map([[`kill -9 of a sweep, at its ${OF_SWEEP.length} steps`, accounts]]));
}
