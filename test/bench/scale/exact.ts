import { AGAIN, type Patience, retry } from '#lib/retry';
import { type Subject, send } from '../../cost/subjects.ts';
import { type Command, roundTrips } from '../../wire/dynamodb-proxy.ts';
import type { Place } from './place.ts';
import type { Round } from './requests.ts';

/** What a request costs, whatever machine it runs on. */
export interface Exact {
  /** Capacity units, those of indexes included. */
  readonly units: number;
  /** Commands that follow one another. */
  readonly roundTrips: number;
  /** Of a listing: what it answers. */
  readonly items: number;
}

/** A page of 5 MB takes a wire and an engine some seconds of a machine that others keep busy. */
const UNTIL_ANSWERED: Patience = { attempts: 40, maxWaitMs: 2000 };

/** The look at the keys goes beside another read, once in five seconds. */
const isOfRequest = (id: string) => (command: Command) =>
  command.sender === id && !command.needs.includes('table:Query:KEYS');

/**
 * Sends the requests of a round for the nth account, and counts the commands of each on the wire. A machine that others keep
 * busy may leave the engine no time to answer: what is refused for that is sent again.
 */
export async function exactly(place: Place, round: Round, n: number): Promise<Exact[]> {
  const { proxy, url } = place;
  const found: Exact[] = [];
  await undo(place, round, n);
  for (const { id, subject } of round) {
    const request = await subject(place, n);
    await place.touch(callerOf(request));
    const data = await retry(async () => {
      await proxy.settled();
      proxy.commands.length = 0;
      const answer = await send(url, request).catch((error: Error) => {
        if (error.message.includes('answered 503')) return AGAIN;
        throw error;
      });
      await proxy.settled();
      return answer;
    }, UNTIL_ANSWERED);
    const own = proxy.commands.filter(isOfRequest(id));
    const { items = [] } = (data ?? {}) as { items?: readonly unknown[] };
    found.push({
      units: own.reduce((total, { units }) => total + units, 0),
      roundTrips: roundTrips(own),
      items: items.length,
    });
  }
  return found;
}

/** Does the last of several steps, which takes back what the others do: a run that was cut off has left it undone. */
export async function undo(place: Place, round: Round, n: number): Promise<void> {
  const last = round.length > 1 ? round.at(-1) : undefined;
  if (last) await send(place.url, await last.subject(place, n)).catch(() => undefined);
}

/** Whose activity a request notes: a login is one of the token that it presents. */
export function callerOf({ jwt, token, json }: Subject): Pick<Subject, 'jwt' | 'token'> {
  const { password } = (json ?? {}) as { password?: string };
  return password === undefined ? { jwt, token } : { token: password };
}
