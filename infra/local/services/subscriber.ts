import { appendFileSync } from 'node:fs';
import { say } from '../machine/terminal.ts';
import { type DeliveryQueue, openDeliveryQueue, type Waiting } from './delivery-queue.ts';
import { labelOf } from './event-label.ts';
import type { Matches } from './event-pattern.ts';
import type { DeliveredEvent } from './put-events.ts';
import { sign } from './signature.ts';

/** What is posted where. */
export interface Subscription {
  readonly url: string;
  /** Whether an event is posted. */
  readonly matches: Matches;
  /** Signs the posts. */
  readonly secret: string;
  /** Where what waits is kept. */
  readonly queue: string;
  /** Where events end that were given up, one line of JSON each. */
  readonly deadLetters: string;
}

/** In milliseconds: the first wait after a failure, the longest one, and when an event is given up. */
export interface Patience {
  readonly first: number;
  readonly longest: number;
  readonly end: number;
}

/** EventBridge tries for 24 hours, too. */
const PATIENCE: Patience = { first: 250, longest: 60_000, end: 24 * 60 * 60_000 };

const ANSWERS_WITHIN_MS = 5000;

/** A start names the first ones that wait; `admin events pending` names all. */
const MAX_NAMED = 20;

/** So many events that get no answer do not hold up the others. */
const MAX_POSTS = 50;

/**
 * Posts events to a URL, each until it is answered with success: after a failure in a quarter of a second, then after
 * twice as long each time, up to a minute, for 24 hours from the first failure; then it is a dead letter. Each event has
 * its own attempts and holds up no other, so events may arrive in another order, and after a crash more than once.
 * A start tries all that wait.
 */
export function openSubscriber(subscription: Subscription, { first, longest, end }: Patience = PATIENCE) {
  const { url, secret, matches } = subscription;
  // A query may hold a secret.
  const where = url.replace(/[?#].*/, '');
  const queue = openDeliveryQueue(subscription.queue);
  const closing = new AbortController();
  const posts = new Map<number, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const post = async (waiting: Waiting) => {
    const { event } = waiting;
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...sign(messageId(parse(waiting)), event, secret, Date.now()),
      },
      body: event,
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
    });
    // Unread, it would keep the connection from the next post.
    response.arrayBuffer().catch(() => undefined);
    if (!response.ok) throw new Error(`it answered ${response.status}`);
  };

  const giveUp = (waiting: Waiting, attempts: number, error: string, now: number) => {
    const event = parse(waiting);
    const letter = { time: new Date(now).toISOString(), url: where, attempts, error, event };
    try {
      appendFileSync(subscription.deadLetters, `${JSON.stringify(letter)}\n`, { mode: 0o600, flush: true });
    } catch (cause) {
      // It waits on, rather than end nowhere.
      queue.fail(waiting.id, now, now + longest, error);
      return say(`event  ${(cause as Error).message}`);
    }
    queue.remove(waiting.id);
    return say(
      `event  given up after ${attempts} attempts, see dead-letters.jsonl  ${labelOf(event)}: ${error}`,
    );
  };

  const attempt = async (waiting: Waiting) => {
    const attempts = waiting.attempts + 1;
    try {
      await post(waiting);
      queue.remove(waiting.id);
      if (attempts > 1) say(`event  received after ${attempts} attempts  ${labelOf(parse(waiting))}`);
    } catch (error) {
      if (closing.signal.aborted) return;
      const now = Date.now();
      const reason = reasonOf(error);
      const { since } = waiting;
      if (since !== null && now - since >= end) {
        giveUp(waiting, attempts, reason, now);
        return;
      }
      // Half of a wait is left to chance, so that those that failed together do not come together again.
      const wait = Math.min(first * 2 ** waiting.attempts, longest) * (0.5 + Math.random() / 2);
      const due = since === null ? now + wait : Math.min(now + wait, since + end);
      queue.fail(waiting.id, now, Math.ceil(due), reason);
      if (attempts === 1) say(`event  waits for ${where}  ${labelOf(parse(waiting))}: ${reason}`);
    }
  };

  /** Starts what is due, and comes again when the next is. */
  const pump = () => {
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    const candidates = queue.next(MAX_POSTS + posts.size + 1).filter(({ id }) => !posts.has(id));
    for (const { id, due } of candidates) {
      if (posts.size >= MAX_POSTS) return;
      const inMs = due - Date.now();
      if (inMs > 0) {
        timer = setTimeout(pump, inMs);
        return;
      }
      const done = attempt(queue.read(id) as Waiting).finally(() => {
        posts.delete(id);
        pump();
      });
      posts.set(id, done);
    }
  };

  return {
    queue: queue as Pick<DeliveryQueue, 'replay'>,

    /** From where on it is yet to take what the stream has: a new one from its end, and all of one that is another. */
    place(end: number): number {
      const place = queue.place() ?? end;
      return place > end ? 0 : place;
    },

    /** Goes on with what waits, and with what the stream has had since. @param end where the stream ends */
    begin(end: number, since: readonly DeliveredEvent[]): void {
      queue.makeAllDue(Date.now());
      this.receive(since, end);
      if (queue.size() === 0) return;
      say(`event  ${queue.size()} wait for ${where}`);
      for (const { id } of queue.next(MAX_NAMED)) say(`event  waits  ${labelOf(parse(queue.read(id)))}`);
    },

    /** Takes events of the stream. @param place where in it they end */
    receive(events: readonly DeliveredEvent[], place: number): void {
      const texts = events.filter(matches).map((event) => JSON.stringify(event));
      queue.add(texts, place, Date.now());
      pump();
    },

    /** Takes events once more. @returns false where there is a replay of this name already */
    replay(name: string, from: number, to: number, events: readonly DeliveredEvent[]): boolean {
      const texts = events.filter(matches).map((event) => JSON.stringify({ ...event, 'replay-name': name }));
      const isNew = queue.addReplay({ name, from, to, started: Date.now() / 1000 }, texts, Date.now());
      pump();
      return isNew;
    },

    async close(): Promise<void> {
      closing.abort();
      clearTimeout(timer);
      await Promise.allSettled(posts.values());
      queue.close();
    },
  };
}

export type Subscriber = ReturnType<typeof openSubscriber>;

const parse = (waiting: Waiting | undefined) => JSON.parse(waiting?.event ?? '{}') as DeliveredEvent;

/** What all deliveries of one event have in common, however often the bus was given it. */
function messageId(event: DeliveredEvent): string {
  const { id } = event.detail as { readonly id?: unknown };
  return typeof id === 'string' && /^[\w-]{1,100}$/.test(id) ? id : event.id;
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { readonly cause?: { readonly code?: string } };
  return name === 'TimeoutError'
    ? `it has not answered in ${ANSWERS_WITHIN_MS} ms`
    : (cause?.code ?? message);
}
