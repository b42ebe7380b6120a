import { randomInt } from 'node:crypto';
import { relayOutbox } from '#lib/outbox/jobs';
import { COLLISION, DOWN, type Fault, type Script, THROTTLED } from '../wire/dynamodb-proxy.ts';
import { FAILED } from '../wire/event-bus.ts';

/** One kind of fault, during cancels and during a sweep. */
export interface FaultKind {
  readonly fault: string;
  readonly dynamodb?: Script;
  readonly events?: Script;
  /** Whether it takes time, so that fewer cancels are sent. */
  readonly slow?: boolean;
}

/** Disturbs this percentage of the commands of functions, only of the operation if one is named. */
const sometimes =
  (perHundred: number, fault: Fault, only?: string): Script =>
  (operation, _input, sender) =>
    sender !== undefined && (only ?? operation) === operation && randomInt(100) < perHundred
      ? fault
      : undefined;

export const exception = (status: number, __type: string) => ({ status, body: { __type, message: __type } });

/** The bus accepts some entries of a call, by default about every other one, and fails the others. */
export const failingEntries =
  (accepts: (entry: object) => boolean = () => randomInt(2) === 0): Script =>
  (_operation, input) => {
    const entries = input['Entries'] as readonly object[];
    const taken = entries.map(accepts);
    const answers = (accepted: readonly object[]) => {
      const rest = accepted.values();
      return { FailedEntryCount: 1, Entries: taken.map((is) => (is ? rest.next().value : FAILED)) };
    };
    if (!taken.includes(true)) return { status: 200, body: answers([]) };
    return {
      input: { ...input, Entries: entries.filter((_, n) => taken[n]) },
      answer: (body) => answers(body['Entries'] as readonly object[]),
    };
  };

const onSweeps =
  (script: Script): Script =>
  (operation, input, sender) =>
    sender === relayOutbox.id ? script(operation, input, sender) : undefined;

export const FAULTS: readonly FaultKind[] = [
  { fault: 'the bus answers 500', events: () => exception(500, 'InternalException') },
  { fault: 'the bus throttles', events: sometimes(70, exception(400, 'ThrottlingException')) },
  { fault: 'the bus hangs', events: () => 'hang', slow: true },
  { fault: 'the bus fails entries', events: failingEntries() },
  { fault: 'the bus cuts calls off', events: () => 'reset' },
  { fault: 'the bus accepts, its answer is lost', events: sometimes(80, 'lose') },
  { fault: 'DynamoDB throttles', dynamodb: sometimes(40, THROTTLED) },
  { fault: 'DynamoDB answers 500', dynamodb: sometimes(40, DOWN) },
  { fault: 'DynamoDB hangs', dynamodb: sometimes(10, 'hang'), slow: true },
  { fault: 'a command is cut off before its effect', dynamodb: sometimes(40, 'reset') },
  { fault: 'a command is cut off after its effect', dynamodb: sometimes(40, 'lose') },
  { fault: 'every transaction loses its answer', dynamodb: sometimes(100, 'lose', 'TransactWriteItems') },
  { fault: 'transactions collide', dynamodb: sometimes(60, COLLISION, 'TransactWriteItems') },
  { fault: 'no event leaves the outbox', dynamodb: sometimes(100, DOWN, 'DeleteItem') },
  {
    fault: 'the bus refuses, sweeps lose what they write',
    dynamodb: onSweeps(sometimes(50, 'lose')),
    events: sometimes(60, exception(400, 'AccessDeniedException')),
  },
  {
    fault: 'both, by chance',
    dynamodb: (operation, ...rest) =>
      sometimes(30, ([THROTTLED, DOWN, 'reset', 'lose'] as const)[randomInt(4)] as Fault)(operation, ...rest),
    events: (operation, input, sender) =>
      randomInt(2) === 0
        ? failingEntries()(operation, input, sender)
        : sometimes(50, 'lose')(operation, input, sender),
  },
];
