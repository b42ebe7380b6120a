import { randomBytes, randomInt } from 'node:crypto';
import type { Operation } from './account-model.ts';
import { openClient } from './client.ts';
import type { Entry } from './linearisable.ts';
import type { Service } from './service.ts';

export interface Episode {
  readonly username: string;
  readonly history: readonly Entry[];
  /** Answers that are none of the contract. */
  readonly broken: readonly string[];
}

type NonEmpty<T> = readonly [T, ...T[]];

/** One of them by chance; undefined where there is none. */
function pick<T>(items: NonEmpty<T>): T;
function pick<T>(items: readonly T[]): T | undefined;
function pick<T>(items: readonly T[]): T | undefined {
  return items[randomInt(Math.max(1, items.length))];
}

/** Several clients at once do this and that with one account, which is then read. */
export async function runEpisode(service: Service, clients: number, operations: number): Promise<Episode> {
  const username = `h-${randomBytes(6).toString('hex')}`;
  await service.create(username);
  const { history, broken, secrets, sessions, perform } = openClient(service, username);

  const next = (): Operation => {
    const token = pick<string>(['a', 'b']);
    const [secret, stamp] = [pick(secrets), pick([...sessions.keys()])];
    const others: NonEmpty<Operation> = [
      { kind: pick(['lock', 'unlock', 'cancel', 'reactivate']) },
      // Most of the time an account is to be open, or nothing else could be seen.
      { kind: pick(['unlock', 'reactivate']) },
      { kind: 'create', token },
      { kind: pick(['create', 'delete']), token },
      { kind: 'copy', roles: pick(service.sources)?.roles ?? [] },
      { kind: pick(['list', 'profile']) },
    ];
    const withSession: readonly Operation[] =
      stamp === undefined
        ? []
        : [
            { kind: 'session', stamp },
            { kind: pick(['session', 'logout']), stamp },
          ];
    const withToken: readonly Operation[] =
      secret === undefined
        ? []
        : [
            { kind: 'use', secret },
            { kind: 'rename', secret, name: randomBytes(3).toString('hex') },
            { kind: 'login', secret },
          ];
    return pick([pick(others), pick(withToken) ?? pick(others), pick(withSession) ?? pick(others)]);
  };

  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let made = 0; made < operations; made++) await perform(next());
    }),
  );
  for (const kind of ['list', 'profile'] as const) await perform({ kind });
  const start = performance.now();
  const events = await service.events(username);
  history.push({ operation: { kind: 'events' }, start, end: performance.now(), answer: [200, events] });
  return { username, history, broken };
}
