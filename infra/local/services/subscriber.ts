import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../machine/terminal.ts';
import type { DeliveredEvent } from './put-events.ts';

/** Waits before further attempts. */
const RETRY_AFTER_MS = [250, 1000, 5000];
const ANSWERS_WITHIN_MS = 5000;

/** Posts events to a URL, some times where it does not answer with success; nobody waits for it. */
export function openSubscriber(url: string) {
  const closing = new AbortController();

  const attempt = async (event: DeliveredEvent) => {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
    });
    if (!ok) throw new Error(`it answered ${status}`);
  };

  return {
    async post(event: DeliveredEvent): Promise<void> {
      let reason: unknown;
      for (const wait of [0, ...RETRY_AFTER_MS]) {
        try {
          await sleep(wait, undefined, { signal: closing.signal });
          return await attempt(event);
        } catch (error) {
          if (closing.signal.aborted) return;
          reason = error;
        }
      }
      say(`event  ${event.id} did not reach ${url}: ${reason instanceof Error ? reason.message : reason}`);
    },
    close: () => closing.abort(),
  };
}
