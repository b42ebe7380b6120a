import { type Exact, exactly } from './exact.ts';
import type { StartedPlace } from './place.ts';
import { sample } from './population.ts';
import type { Round, Step } from './requests.ts';
import type { Timed } from './timed.ts';

/** What a request costs at one size. */
export interface Cost extends Exact, Timed {}

/** What a request costs at each size. */
export interface Growth {
  readonly step: Step;
  readonly costs: readonly Cost[];
}

/** Requests of which the costs are counted: the least is told, since an activity may fall due beside one. */
const COUNTED = 2;

/** Counts what the requests of a round cost. @returns for each place what each step does */
export async function counted(places: readonly StartedPlace[], round: Round): Promise<Exact[][]> {
  const found: Exact[][] = [];
  for (const place of places) {
    await exactly(place, round, sample(0));
    const all: Exact[][] = [];
    for (let n = 0; n < COUNTED; n++) all.push(await exactly(place, round, sample(n)));
    const least = (at: number, pick: keyof Exact) =>
      Math.min(...all.map((each) => (each[at] as Exact)[pick]));
    found.push(
      round.map((_, at) => ({
        units: least(at, 'units'),
        roundTrips: least(at, 'roundTrips'),
        items: least(at, 'items'),
      })),
    );
  }
  return found;
}

/** Of each step what it costs at each size. */
export const growthsOf = (round: Round, exact: readonly Exact[][], times: readonly Timed[][]): Growth[] =>
  round.map((step, at) => ({
    step,
    costs: exact.map((ofPlace, place) => ({ ...(ofPlace[at] as Exact), ...(times[place]?.[at] as Timed) })),
  }));
