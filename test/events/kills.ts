import { setTimeout as sleep } from 'node:timers/promises';
import { contract as cancel } from '#lib/account/lifecycle/cancel.contract';
import { relayOutbox } from '#lib/outbox/jobs';
import type { Script } from '../wire/dynamodb-proxy.ts';
import { failingEntries } from './faults.ts';
import { cancelAll, createAccounts } from './load.ts';
import { type Outcome, recover } from './rehearse.ts';
import type { Stage } from './stage.ts';

/** A command of a function, before or after which the instance is killed. */
export interface Step {
  readonly sender: string;
  readonly wire: 'dynamodb' | 'events';
  readonly operation: string;
  readonly when: 'before' | 'after';
}

const stepsOf = (sender: string, ...operations: readonly string[]): Step[] =>
  operations.flatMap((operation) => {
    const wire = operation === 'PutEvents' ? 'events' : 'dynamodb';
    return (['before', 'after'] as const).map((when) => ({ sender, wire, operation, when }));
  });

/** Every command of a cancel, in their order. */
export const OF_CANCEL = stepsOf(
  cancel.id,
  ...['GetItem', 'BatchGetItem', 'TransactWriteItems', 'PutEvents', 'DeleteItem'],
);

/** Every command of a sweep, which updates an event that the bus refuses. */
export const OF_SWEEP = stepsOf(relayOutbox.id, 'Query', 'UpdateItem', 'PutEvents', 'DeleteItem');

const refusing = failingEntries(() => false);

/** Kills the instance at the n-th command of a step; the engine, or the bus, gets the command only with `after`. */
function killAt(stage: Stage, { sender, wire, operation, when }: Step, nth: number) {
  let met = 0;
  const script: Script = (of, input, by) => {
    if (of !== operation || by !== sender || ++met !== nth) return undefined;
    if (when === 'before') {
      stage.kill();
      return 'reset';
    }
    const answer = (body: Readonly<Record<string, unknown>>) => {
      stage.kill();
      return body;
    };
    return { input, answer };
  };
  const other: Script = operation === 'UpdateItem' ? refusing : () => undefined;
  stage.dynamodb.script(wire === 'dynamodb' ? script : () => undefined);
  stage.events.script(wire === 'events' ? script : other);
  return () => {
    if (met < nth) throw new Error(`No command ${when} ${operation} of ${sender} came`);
  };
}

let kills = 0;

/** Kills the instance at a step of one of these cancels; those without an answer are requested again. */
export async function killInCancels(stage: Stage, cancels: number, step: Step): Promise<Outcome> {
  const accounts = await createAccounts(stage.table, `kill-${kills++}`, Math.ceil((cancels * 3) / 4));
  const check = killAt(stage, step, Math.ceil(accounts.length / 2));
  await cancelAll(stage.service, accounts);
  check();
  stage.calm();
  await stage.start();
  const unanswered = accounts.filter(({ ok }) => ok === 0);
  await cancelAll(stage.service, unanswered);
  return recover(stage, `kill ${step.when} ${step.operation}`, accounts);
}

/** Age from which a sweep publishes an event. */
const GRACE_MS = 5000;

/** Kills the instance at each of these steps of a sweep over cancels that the bus has refused. */
export async function killInSweeps(stage: Stage, cancels: number, steps: readonly Step[]): Promise<Outcome> {
  const accounts = await createAccounts(stage.table, `swept-${kills++}`, Math.ceil((cancels * 3) / 4));
  stage.events.script(refusing);
  await cancelAll(stage.service, accounts);
  await stage.stop();
  await sleep(GRACE_MS);
  for (const step of steps) {
    const check = killAt(stage, step, 1);
    // It may be killed before it is ready.
    await stage.start().catch(() => undefined);
    for (let waited = 0; stage.running() && waited < 1200; waited++) await sleep(100);
    check();
  }
  return recover(stage, 'kills of sweeps', accounts);
}
