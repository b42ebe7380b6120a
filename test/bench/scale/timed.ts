import { randomUUID } from 'node:crypto';
import type { Contract } from '#lib/contract/contract';
import { contracts } from '#lib/routes';
import { eventOf } from '../../cost/measure.ts';
import { openFunction } from '../../cost/open-function.ts';
import { median } from '../report.ts';
import { callerOf, undo } from './exact.ts';
import type { StartedPlace } from './place.ts';
import { sample } from './population.ts';
import type { Round } from './requests.ts';

/** The medians of a request, from its arrival in the function to its answer, in milliseconds. */
export interface Timed {
  /** Of the processor, all threads of the function. */
  readonly cpuMs: number;
  /** The engine included. */
  readonly wallMs: number;
}

/** Requests that are not counted: as many as half of those that are, and at most so many. */
const WARM_UP = 4;

const contractOf = (id: string) => contracts.find((each) => each.id === id) as Contract;

/**
 * Sends the requests of a round to functions that are warm, each in a process of its own: to those of every place in turn, so
 * that a machine that is busy for a while slows down all.
 *
 * @returns for each place what each step takes
 */
export async function timed(
  places: readonly StartedPlace[],
  round: Round,
  rounds: number,
): Promise<Timed[][]> {
  await using open = new AsyncDisposableStack();
  const ids = [...new Set(round.map(({ id }) => id))];
  const functions = await Promise.all(
    places.map(async (place) => {
      const opened = ids.map(async (id) => {
        const fn = open.adopt(
          await openFunction(id, place.env(contractOf(id))),
          async (it) => void (await it.close()),
        );
        return [id, fn] as const;
      });
      return new Map(await Promise.all(opened));
    }),
  );
  const all = places.map(() => round.map(() => [] as Timed[]));
  const warmUp = Math.min(WARM_UP, Math.ceil(rounds / 2));
  for (let n = -warmUp; n < rounds; n++)
    for (const [at, place] of places.entries()) {
      await undo(place, round, sample(n + warmUp));
      for (const [stepAt, { id, subject }] of round.entries()) {
        const request = await subject(place, sample(n + warmUp));
        await place.touch(callerOf(request));
        const requestId = randomUUID();
        const fn = functions[at]?.get(id) as Awaited<ReturnType<typeof openFunction>>;
        const {
          answerMs = 0,
          answerWallMs = 0,
          result,
        } = await fn.invoke({
          requestId,
          event: eventOf(request, requestId),
          trace: '',
        });
        const { statusCode, body } = result as { statusCode: number; body?: string };
        // The engine had no time to answer.
        if (statusCode === 503) continue;
        if (statusCode !== 200) throw new Error(`${id} answered ${statusCode}: ${body}`);
        if (n >= 0) all[at]?.[stepAt]?.push({ cpuMs: answerMs, wallMs: answerWallMs });
      }
    }
  return all.map((steps) =>
    steps.map((times) => ({
      cpuMs: median(times.map(({ cpuMs }) => cpuMs)),
      wallMs: median(times.map(({ wallMs }) => wallMs)),
    })),
  );
}
