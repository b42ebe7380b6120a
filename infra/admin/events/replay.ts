import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeReplayCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  StartReplayCommand,
} from '@aws-sdk/client-eventbridge';
import type { Target } from '../target.ts';
import { Refused } from './refused.ts';

export interface ReplayOptions {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until?: number;
  readonly rule: string;
  readonly name?: string;
  readonly wait: boolean;
}

const POLL_MS = 1000;

/** States in which a replay stays. */
const ENDS = new Set(['COMPLETED', 'CANCELLED', 'FAILED']);

/**
 * Has the archive of the bus send its events of a time once more, to one rule only; each has `replay-name` then. On a
 * local instance the rule is `subscriber`. Says on standard error how far it has come.
 *
 * @returns its name, state and times, once all events were sent again, or at once where it is not waited for
 * @throws Refused `replay_failed`; the errors of EventBridge, as `ResourceNotFoundException` for an unknown rule
 */
export async function replay({ archive, eventBus }: Target, options: ReplayOptions): Promise<object> {
  if (!archive)
    throw new Refused('unsupported', 'The stack does not tell of its archive yet: deploy it again');
  const { since, until = Date.now(), rule, wait } = options;
  const name = options.name ?? `admin-${new Date().toISOString().replaceAll(/[:.]/g, '')}`;
  const client = new EventBridgeClient();
  // Of a rule that is not there, nobody would notice that it got nothing.
  const { Arn } = await client.send(new DescribeRuleCommand({ Name: rule, EventBusName: eventBus }));
  const { State } = await client.send(
    new StartReplayCommand({
      ReplayName: name,
      EventSourceArn: archive.arn,
      EventStartTime: new Date(since),
      EventEndTime: new Date(until),
      Destination: { Arn: archive.busArn, FilterArns: [Arn as string] },
    }),
  );
  const answer = (state: string | undefined) => ({
    replay: name,
    rule,
    state: state ?? null,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
  });
  if (!wait) return answer(State);
  let said: string | undefined;
  for (;;) {
    const now = await client.send(new DescribeReplayCommand({ ReplayName: name }));
    const text = [now.State, now.StateReason].filter(Boolean).join(': ');
    if (text !== said) console.error(`${name}  ${text}`);
    said = text;
    if (now.State === 'COMPLETED') return answer(now.State);
    if (ENDS.has(now.State ?? ''))
      throw new Refused('replay_failed', `The replay ${name} has ended: ${text}`);
    await sleep(POLL_MS);
  }
}
