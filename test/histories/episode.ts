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

const pick = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

/** Several clients at once do this and that with one account, which is then read. */
export async function runEpisode(service: Service, clients: number, operations: number): Promise<Episode> {
  const username = `h-${randomBytes(6).toString('hex')}`;
  await service.create(username);
  const { history, broken, secrets, sessions, perform } = openClient(service, username);

  const next = (): Operation => {
    const token = pick(['a', 'b']);
    const simple = pick(['lock', 'unlock', 'unlock', 'cancel', 'reactivate', 'reactivate'] as const);
    const choices: Operation[] = [
      { kind: simple },
      { kind: 'create', token },
      { kind: pick(['create', 'delete']), token },
      { kind: 'copy', roles: pick(service.sources).roles },
      { kind: pick(['list', 'profile']) },
    ];
    if (secrets.length > 0) {
      const secret = pick(secrets);
      choices.push({ kind: pick(['use', 'login']), secret }, { kind: 'login', secret });
      choices.push({ kind: 'rename', secret, name: randomBytes(3).toString('hex') });
    }
    const known = [...sessions.keys()];
    if (known.length > 0) choices.push({ kind: 'session', stamp: pick(known) });
    if (known.length > 0) choices.push({ kind: pick(['session', 'logout']), stamp: pick(known) });
    return pick(choices);
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
