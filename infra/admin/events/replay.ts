import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { EVENTS_FILE } from '../../local/machine/resource-names.ts';
import { readEvents } from '../../local/services/event-bus/event-file.ts';
import { parsePattern } from '../../local/services/event-bus/event-pattern.ts';
import { deliver, labelOf, reasonOf } from '../../local/services/event-bus/subscriber.ts';
import { afterChange, Refusal } from '../refusal.ts';
import type { Archive, Target } from '../target.ts';
import { openReceiver, subscriberOf } from './receiver.ts';

export interface ReplayOptions {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until?: number;
  /** A rule on the bus of a stack, which requires it. */
  readonly rule?: string;
  readonly wait: boolean;
}

const POLL_MS = 1000;

const ENDS = new Set(['COMPLETED', 'CANCELLED', 'FAILED']);

/**
 * Sends the events of a period again, each with `replay-name`. A local instance sends them from its file to the subscriber,
 * a stack from its archive to one rule.
 *
 * @throws Refusal `replay_failed`; on a stack the errors of EventBridge, as `ResourceNotFoundException` for an unknown rule
 */
export const replay = (target: Target, { until = Date.now(), ...options }: ReplayOptions): Promise<object> =>
  target.archive
    ? fromArchive(target.archive, target.eventBus, { until, ...options })
    : fromFile(target, options.since, until);

const newName = () => `admin-${new Date().toISOString().replaceAll(/[:.]/g, '')}`;

const period = (since: number, until: number) => ({
  since: new Date(since).toISOString(),
  until: new Date(until).toISOString(),
});

async function fromFile(target: Target, since: number, until: number): Promise<object> {
  const receiver = openReceiver(subscriberOf(target));
  const { data = '', pattern } = target;
  const matches = pattern === undefined ? () => true : parsePattern(pattern);
  const events = (await readEvents(join(data, EVENTS_FILE))).filter(
    (event) => Date.parse(event.time) >= since && Date.parse(event.time) < until && matches(event),
  );
  const name = newName();
  let failed = 0;
  for (const event of events)
    await deliver(receiver.send, Object.assign(event, { 'replay-name': name })).catch((error) => {
      failed += 1;
      console.error(`not delivered  ${labelOf(event)}: ${reasonOf(error)}`);
    });
  await receiver.close();
  if (failed > 0)
    throw new Refusal('replay_failed', `${failed} of ${events.length} events were not delivered`, {
      changed: failed < events.length,
    });
  return { replay: name, sent: events.length, ...period(since, until) };
}

async function fromArchive(
  archive: Archive,
  eventBus: string,
  { since, until, rule, wait }: ReplayOptions & { readonly until: number },
): Promise<object> {
  const name = newName();
  const client = new EventBridge();
  // EventBridge would replay to an unknown rule without an error.
  const { Arn } = await client.describeRule({ Name: rule, EventBusName: eventBus });
  const started = await client.startReplay({
    ReplayName: name,
    EventSourceArn: archive.arn,
    EventStartTime: new Date(since),
    EventEndTime: new Date(until),
    Destination: { Arn: archive.busArn, FilterArns: [Arn as string] },
  });
  let { State: state, StateReason: reason }: { State?: string; StateReason?: string } = started;
  while (wait && !ENDS.has(state ?? '')) {
    await sleep(POLL_MS);
    const now = await client
      .describeReplay({ ReplayName: name })
      .catch(afterChange(`The replay ${name} has started`));
    if (now.State !== state) console.error(`${name}  ${now.State}`);
    ({ State: state, StateReason: reason } = now);
  }
  if (wait && state !== 'COMPLETED')
    throw new Refusal(
      'replay_failed',
      `The replay ${name} ended: ${[state, reason].filter(Boolean).join(': ')}`,
      { changed: true },
    );
  return { replay: name, rule, state: state ?? null, ...period(since, until) };
}
