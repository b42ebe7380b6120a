import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../in-parallel.ts';
import { type Asked, cancel, createAccounts } from './load.ts';
import type { Subscribed } from './subscribed.ts';

/** What was measured, and whether it is what is asked for. */
export interface Bar {
  readonly what: string;
  readonly figures: string;
  readonly good: boolean;
}

const share = (times: readonly number[], part: number) =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * part) - 1] as number;

/** On a machine that has nothing else to do. */
const P99_MS = 50;

/** Cancels one account after the other on an instance that has nothing else to do, and times its event. */
export async function latency(subscribed: Subscribed, cancels: number): Promise<Bar> {
  const [warmUp, load] = [20, loadavg()[0] as number];
  const isBusy = load >= availableParallelism();
  const accounts = await subscribed.onTable((table) => createAccounts(table, 'timed', cancels + warmUp));
  const times: number[] = [];
  for (const account of accounts) {
    const arrived = subscribed.posts().next();
    const asked = performance.now();
    await Promise.all([
      cancel(subscribed.service(), account),
      arrived.then(() => times.push(performance.now() - asked)),
    ]);
  }
  const [median, p99] = [0.5, 0.99].map((part) => share(times.slice(warmUp), part)) as [number, number];
  return {
    what: `cancel to subscriber, ${cancels} one after the other; p99 at most ${P99_MS} ms`,
    figures: `${median.toFixed(1)} ms median, ${p99.toFixed(1)} ms p99; load ${load.toFixed(1)} of ${availableParallelism()} cores${isBusy ? ', which is no quiet machine: not judged' : ''}`,
    good: p99 <= P99_MS || isBusy,
  };
}

/** The ids that came for each account, as often as they came. */
const idsOf = (subscribed: Subscribed) =>
  Map.groupBy(subscribed.posts().posts, ({ event }) => (event.detail as { username: string }).username);

/** How many accounts were told under exactly one id. */
function toldOnce(subscribed: Subscribed, accounts: readonly Asked[]): number {
  const posts = idsOf(subscribed);
  return accounts.filter(({ username }) => new Set(posts.get(username)?.map(({ id }) => id)).size === 1)
    .length;
}

const RECEIVED_WITHIN_MS = 120_000;

async function allReceived(subscribed: Subscribed, count: number) {
  const end = performance.now() + RECEIVED_WITHIN_MS;
  while (performance.now() < end && subscribed.posts().received.size < count) await sleep(100);
}

/** Cancels while the subscriber is down, and the instance is killed once, and stopped once. */
export async function subscriberOutage(
  subscribed: Subscribed,
  seconds: number,
  cancels: number,
): Promise<Bar> {
  const accounts = await subscribed.onTable((table) => createAccounts(table, 'unheard', cancels));
  await subscribed.subscriberDown();
  const down = performance.now();
  const third = Math.ceil(cancels / 3);
  for (const end of ['kill', 'stop', undefined] as const) {
    const part = accounts.filter(({ cancels: asked }) => asked === 0).slice(0, third);
    await inParallel(part, (account) => cancel(subscribed.service(), account), 8);
    if (end) await subscribed.restart(end);
  }
  await sleep(Math.max(0, seconds * 1000 - (performance.now() - down)));
  await subscribed.subscriberUp();
  const back = performance.now();
  await allReceived(subscribed, cancels);
  const took = ((performance.now() - back) / 1000).toFixed(1);
  const [ok, told] = [accounts.filter(({ ok }) => ok === 1).length, toldOnce(subscribed, accounts)];
  return {
    what: `subscriber down for ${Math.round((back - down) / 1000)} s, the instance restarted twice, ${cancels} cancels`,
    figures: `${ok} answered 200, ${told} received under one id, ${subscribed.posts().posts.length - told} more posts, all ${took} s after it was back`,
    good: ok === cancels && told === cancels && subscribed.waiting() === 0,
  };
}

/** Many cancels of one account at the same time, for many accounts. */
export async function races(subscribed: Subscribed, accounts: number, racing: number): Promise<Bar> {
  const before = subscribed.posts().received.size;
  const raced = await subscribed.onTable((table) => createAccounts(table, 'raced', accounts));
  for (const account of raced)
    await Promise.all(Array.from({ length: racing }, () => cancel(subscribed.service(), account)));
  await allReceived(subscribed, before + accounts);
  const once = raced.filter(({ ok, changed }) => ok === racing && changed === 1).length;
  const told = toldOnce(subscribed, raced);
  return {
    what: `${racing} racing cancels of one account, ${accounts} times`,
    figures: `${once} times all answered 200 and one changed it, ${told} times one event id`,
    good: once === accounts && told === accounts,
  };
}
