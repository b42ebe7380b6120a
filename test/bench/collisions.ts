import { TRANSACTION_SECONDS } from './partition-heat.ts';

/** As `lib/retry.ts` does it. */
const ATTEMPTS = 8;
const BASE_MS = 10;
const MAX_WAIT_MS = 1280;

/** So many transactions are followed. */
const FOLLOWED = 5000;

/**
 * How often a transaction on an item is sent, on average, until no other is at work on it: they come at random, each holds
 * the item for {@link TRANSACTION_SECONDS}, and one that meets another waits as `lib/retry.ts` does.
 *
 * @param overlap how many are at work at once, if none had to wait
 */
export function attemptsAt(overlap: number): number {
  const interval = TRANSACTION_SECONDS / overlap;
  const due: { at: number; sent: number }[] = [];
  let at = 0;
  for (let n = 0; n < FOLLOWED; n++) {
    at -= Math.log(1 - Math.random()) * interval;
    due.push({ at, sent: 0 });
  }
  let [sent, freeAt] = [0, 0];
  for (let next = due.shift(); next; next = due.shift()) {
    sent += 1;
    next.sent += 1;
    if (next.at >= freeAt) freeAt = next.at + TRANSACTION_SECONDS;
    else if (next.sent < ATTEMPTS) {
      next.at += (Math.random() * Math.min(BASE_MS * 2 ** next.sent, MAX_WAIT_MS)) / 1000;
      insert(due, next);
    }
  }
  return sent / FOLLOWED;
}

function insert(due: { at: number; sent: number }[], one: { at: number; sent: number }) {
  const place = due.findIndex(({ at }) => at > one.at);
  due.splice(place < 0 ? due.length : place, 0, one);
}
