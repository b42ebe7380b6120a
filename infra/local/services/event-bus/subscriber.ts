import { setTimeout as sleep } from 'node:timers/promises';
import { escapeControls } from '#lib/text/control-characters';
import { say } from '../../machine/terminal.ts';
import type { DeliveredEvent } from './event-file.ts';
import type { Matches } from './event-pattern.ts';

/** Passes one event to a subscriber. @throws Error if the subscriber fails or does not answer in time */
export type Send = (event: DeliveredEvent, stop?: AbortSignal) => Promise<unknown>;

/** Takes the events that a bus passes on. */
export type Receive = (events: readonly DeliveredEvent[]) => void;

/** Milliseconds before the second and before the third attempt. */
const WAITS_MS = [500, 2000];

/** Attempts in parallel: a subscriber that is slow delays its own events only. */
const AT_ONCE = 50;

const ANSWERS_WITHIN_MS = 5000;

/** POSTs events to a URL as JSON; any answer except 2xx is a failure, a redirect as well. */
export const sendTo =
  (url: string): Send =>
  async (event, stop) => {
    const timeout = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
      signal: stop ? AbortSignal.any([stop, timeout]) : timeout,
    });
    // An unread body would block the connection.
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the subscriber answered ${response.status}`);
  };

/** Sends an event, in three attempts at most. @throws the error of the last attempt, or AbortError */
export async function deliver(
  send: Send,
  event: DeliveredEvent,
  { waits = WAITS_MS, signal }: { waits?: readonly number[] | undefined; signal?: AbortSignal } = {},
): Promise<void> {
  for (const wait of waits) {
    try {
      await send(event, signal);
      return;
    } catch {
      await sleep(wait, undefined, { signal });
    }
  }
  await send(event, signal);
}

/**
 * Delivers each event that matches, in three attempts. An event that fails them all is reported in one line and stays
 * in the file, from where `events replay` sends it again.
 */
export function openSubscriber(send: Send, matches: Matches, waits?: readonly number[]) {
  const closing = new AbortController();
  const { signal } = closing;
  const queue: DeliveredEvent[] = [];
  const lanes = new Set<Promise<void>>();

  const work = async () => {
    while (queue.length > 0 && !signal.aborted) {
      const event = queue.shift() as DeliveredEvent;
      try {
        await deliver(send, event, { waits, signal });
      } catch (error) {
        const why = signal.aborted ? 'the instance stopped' : reasonOf(error);
        say(
          `event  not delivered  ${labelOf(event)}: ${why}; "events replay --since ${event.time}" repeats it`,
        );
      }
    }
  };

  return {
    receive(events: readonly DeliveredEvent[]): void {
      queue.push(...events.filter(matches));
      while (queue.length > 0 && lanes.size < AT_ONCE && !signal.aborted) {
        const lane = work().finally(() => lanes.delete(lane));
        lanes.add(lane);
      }
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(lanes);
      if (queue.length > 0) say(`event  ${queue.length} more were not delivered: the instance stopped`);
    },
  };
}

/** The line of an event for people: `user_cancel  <detail.id>  <username>`, or `team_create  <detail.id>  <team_short>` */
export function labelOf({ id, detail, 'detail-type': type }: DeliveredEvent): string {
  const { id: own = id, username, team_short } = detail as Readonly<Record<string, unknown>>;
  return escapeControls([type, own, username ?? team_short ?? ''].join('  ').trim());
}

/** Why a delivery failed, in one line. */
export function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { readonly cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `the subscriber did not answer within ${ANSWERS_WITHIN_MS} ms`;
  return cause?.code ?? cause?.message ?? (message.split('\n')[0] as string);
}
