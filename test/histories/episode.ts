import { randomBytes, randomInt } from 'node:crypto';
import type { Operation } from './account-model.ts';
import { openClient } from './client.ts';
import type { Entry } from './linearisable.ts';
import type { Service } from './running-instance.ts';

export interface Episode {
  readonly username: string;
  readonly history: readonly Entry[];
  /** Answers that are not in the contract. */
  readonly broken: readonly string[];
}

const pick = <T>(items: readonly [T, ...T[]]): T => items[randomInt(items.length)] as T;

/** Several clients at once perform random operations on one account, which is then read. */
export async function runEpisode(service: Service, clients: number, operations: number): Promise<Episode> {
  const username = `h-${randomBytes(6).toString('hex')}`;
  await service.create(username);
  const { history, broken, secrets, sessions, perform } = openClient(service, username);

  const next = (): Operation => {
    const token = pick(['a', 'b']);
    const [secret, ...otherSecrets] = secrets;
    const [session, ...otherSessions] = sessions.map(([each]) => each);
    const byAdministrator = (): Operation =>
      pick<Operation>([
        { kind: pick(['lock', 'unlock', 'cancel', 'reactivate']) },
        // An account should be open most of the time, or other operations would only be refused.
        { kind: pick(['unlock', 'reactivate']) },
        { kind: 'create', token },
        { kind: pick(['create', 'delete']), token },
        { kind: 'copy', roles: pick<{ roles: readonly string[] }>(service.sources).roles },
        { kind: pick(['list', 'profile']) },
      ]);
    const withToken = (held: string): Operation =>
      pick<Operation>([
        { kind: 'use', secret: held },
        { kind: 'rename', secret: held, name: randomBytes(3).toString('hex') },
        { kind: 'login', secret: held },
      ]);
    return pick<() => Operation>([
      byAdministrator,
      () => (secret === undefined ? byAdministrator() : withToken(pick([secret, ...otherSecrets]))),
      () =>
        session === undefined
          ? byAdministrator()
          : {
              kind: pick(['session', 'session', 'session', 'logout']),
              session: pick([session, ...otherSessions]),
            },
    ])();
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
