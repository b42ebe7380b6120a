import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTarget } from '../../infra/admin/target.ts';
import { type Exact, exactly } from '../bench/scale/exact.ts';
import { fill } from '../bench/scale/fill.ts';
import { openPlace, type Place } from '../bench/scale/place.ts';
import { CONSTANT, LISTINGS, type Round } from '../bench/scale/requests.ts';
import { startWatchedInstance } from './watched-instance.ts';

const [FEW, MANY] = [10, 1000];
/** An account that both directories have, active and with an API token. */
const ACCOUNT = 4;

const [, , wholeDirectory] = LISTINGS as [Round, Round, Round];

let watched: Awaited<ReturnType<typeof startWatchedInstance>>;
let place: Place | undefined;
/** What each request costs, by its name. */
const costs = new Map<number, Map<string, Pick<Exact, 'units' | 'roundTrips'>>>();

const ROUNDS = [...CONSTANT, wholeDirectory];

/** What each request costs, in functions that have answered the same ones before. */
async function measured() {
  const found = new Map<string, Pick<Exact, 'units' | 'roundTrips'>>();
  for (const round of ROUNDS) {
    const all = await exactly(place as Place, round, ACCOUNT);
    for (const [n, { units, roundTrips }] of all.entries())
      found.set((round[n] as Round[number]).name, { units, roundTrips });
  }
  return found;
}

beforeAll(async () => {
  watched = await startWatchedInstance({ delayMs: 10 });
  const { table } = (await openTarget(watched)).runtime;
  for (const accounts of [FEW, MANY]) {
    await fill(table, accounts);
    if (!place) {
      place = await openPlace(watched);
      for (const round of ROUNDS) await exactly(place, round, ACCOUNT);
    }
    costs.set(accounts, await measured());
  }
});

afterAll(async () => {
  await place?.close();
  await watched.stop();
});

describe(`with ${MANY} accounts, as many units and round trips as with ${FEW}`, () => {
  test.each(CONSTANT.flat().map(({ name }) => name))('%s', (name) => {
    const few = costs.get(FEW)?.get(name);
    expect(costs.get(MANY)?.get(name)).toEqual(few);
    expect(few?.units).toBeGreaterThan(0);
    expect(few?.roundTrips).toBeGreaterThan(0);
  });
});

test('a page of the whole directory, which shows that growth is seen, takes more units', () => {
  const [{ name }] = wholeDirectory as [Round[number]];
  const [few, many] = [FEW, MANY].map((accounts) => costs.get(accounts)?.get(name));
  expect(many?.units).toBeGreaterThan(2 * (few?.units as number));
  expect(many?.roundTrips).toBe(few?.roundTrips);
});
