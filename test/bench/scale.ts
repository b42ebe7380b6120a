import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { number } from '../../infra/admin/terminal/counted.ts';
import { bundle } from '../../infra/bundle.ts';
import type { Benchmark, Row } from './report.ts';
import { fillDirectories } from './scale/directories.ts';
import { listEverything } from './scale/everything.ts';
import { openFigures } from './scale/figures.ts';
import { counted, type Growth, growthsOf } from './scale/measure.ts';
import { type StartedPlace, startPlace } from './scale/place.ts';
import { type Line, middle, plot } from './scale/plot.ts';
import { CONSTANT, LISTINGS, type Round } from './scale/requests.ts';
import { timed } from './scale/timed.ts';

const SMALLEST = 1000;
const DEFAULT_ACCOUNTS = 100_000;

const FOLDER = join(import.meta.dirname, 'results/scale');
const PICTURE = join(import.meta.dirname, 'scale.svg');

/** Listings go through thousands of items: a few tell enough. */
const MAX_ROUNDS_OF_LISTINGS = 3;

/** 1,000, 10,000 and so on, and what was asked for. */
function sizesUpTo(accounts: number): number[] {
  const sizes = [];
  for (let size = SMALLEST; size < accounts; size *= 10) sizes.push(size);
  return [...sizes, accounts];
}

/** Measures every endpoint at each size of the directory, and reads the largest as a whole. */
export const scale: Benchmark = async ({
  rounds,
  only,
  accounts = DEFAULT_ACCOUNTS,
  data = FOLDER,
  tell,
}) => {
  await bundle();
  const sizes = sizesUpTo(accounts);
  tell(`filling directories of ${sizes.map(number).join(', ')} accounts in ${data}`);
  const paths = await fillDirectories(data, sizes);
  await using open = new AsyncDisposableStack();
  const places: StartedPlace[] = [];
  for (const path of paths) places.push(open.adopt(await startPlace(path), (it) => it.close()));

  const figures = openFigures(join(data, `figures-${accounts}.json`));
  const ofListings = Math.min(rounds, MAX_ROUNDS_OF_LISTINGS);
  const measure = async (all: readonly Round[], times: number) => {
    const growths: Growth[] = [];
    for (const round of all) {
      if (only && !round.some(({ id }) => only.includes(id))) continue;
      const name = round.map((step) => step.name).join(', ');
      tell(name);
      const exact = await figures.of(`${name}: counts`, () => counted(places, round));
      const taken = await figures.of(`${name}: times`, () => timed(places, round, times));
      growths.push(...growthsOf(round, exact, taken));
    }
    return growths;
  };
  const [constant, listings] = [await measure(CONSTANT, rounds), await measure(LISTINGS, ofListings)];
  if (!only) await writeFile(PICTURE, picture(sizes, constant, listings));
  tell(`reading all of ${number(accounts)} accounts`);
  const whole = await figures.of('everything', () => listEverything(places.at(-1) as StartedPlace, tell));
  figures.remove();
  const same = constant.filter(({ costs: [first, ...others] }) =>
    others.every(({ units, roundTrips }) => units === first?.units && roundTrips === first.roundTrips),
  );
  return {
    title: `Directories of ${sizes.map(number).join(', ')} accounts: the median of ${rounds} rounds (${ofListings} of listings), in each of which all are asked in turn.
CPU and wall time from the request to the answer: in ms at ${number(SMALLEST)}, elsewhere as a ratio to that.
Of ${constant.length} requests that are no listing, ${same.length} take the same units and round trips at every size.
${whole}`,
    columns: sizes.flatMap((size, at) => [
      `${number(size)}: units`,
      'trips',
      ...(at === 0 ? ['CPU ms', 'wall ms'] : ['CPU', 'wall']),
    ]),
    rows: [...constant, ...listings].map((growth) => rowOf(growth, sizes)),
  };
};

/** The time of one, where a listing takes the more the more it has. */
function times(
  { step: { of = () => 1 }, costs }: Growth,
  sizes: readonly number[],
  pick: 'cpuMs' | 'wallMs',
) {
  const all = costs.map((cost, at) => cost[pick] / (of(sizes[at] as number, cost.items) || 1));
  return { ms: all[0] as number, ratios: all.map((ms) => ms / (all[0] as number)) };
}

function rowOf(growth: Growth, sizes: readonly number[]): Row {
  const [cpu, wall] = [times(growth, sizes, 'cpuMs'), times(growth, sizes, 'wallMs')];
  const figures = growth.costs.map(({ units, roundTrips }, at) => [
    units,
    roundTrips,
    ...[cpu, wall].map(({ ms, ratios }) => (at === 0 ? ms : ratios[at])),
  ]);
  return [growth.step.name, ...figures.flat()];
}

function picture(sizes: readonly number[], constant: readonly Growth[], listings: readonly Growth[]): string {
  const ratios = (pick: 'cpuMs' | 'wallMs') => (growth: Growth) => times(growth, sizes, pick).ratios;
  const units = constant.map(({ costs }) => costs.map((cost) => cost.units / (costs[0]?.units as number)));
  const { name, values } = middle('the same, wall time: median', constant.map(ratios('wallMs')));
  const lines: Line[] = [
    middle('all but listings, CPU: median, range', constant.map(ratios('cpuMs'))),
    { ...middle('their capacity units', units), isExact: true },
    { name, values },
    ...listings
      .filter(({ step }) => step.isShown)
      .map((growth) => ({ name: growth.step.name, values: ratios('cpuMs')(growth) })),
  ];
  return plot('What a request costs as the directory grows', 'CPU time, 1,000 accounts = 1', sizes, lines);
}
