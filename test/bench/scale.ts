import { contracts } from '#lib/routes';
import { bundle } from '../../infra/bundle.ts';
import { fillDirectory } from './fill.ts';
import { startMeasuredInstance } from './instance.ts';
import { openFunction } from './open-function.ts';
import { type Benchmark, median, type Row } from './report.ts';
import { eventOf, subjectsOf } from './subjects.ts';

const SMALLEST = 1000;
const WARM_UP = 3;

/** Measures each endpoint in directories of several sizes, each on an engine of its own, in memory, queried in turn. */
export const scale: Benchmark = async ({ rounds, only, accounts, tell }) => {
  await bundle();
  await using open = new AsyncDisposableStack();
  const sizes = [];
  for (let size = SMALLEST; size < accounts; size *= 10) sizes.push(size);
  sizes.push(accounts);
  const places: Awaited<ReturnType<typeof startMeasuredInstance>>[] = [];
  for (const size of sizes) {
    tell(`writing ${size} accounts`);
    const place = open.adopt(await startMeasuredInstance(), ({ stop }) => stop());
    await fillDirectory(place.instance.runtime, size);
    places.push(place);
  }
  const isMeasured = ({ id, access }: (typeof contracts)[number]) =>
    only ? only.includes(id) : access !== 'public';
  const rows: Row[] = [];
  for (const contract of contracts.filter(isMeasured)) {
    const { id } = contract;
    tell(id);
    await using opened = new AsyncDisposableStack();
    const measured = [];
    for (const place of places) {
      const subjects = subjectsOf(id, place.instance);
      const cost = await place.costOf(subjects);
      const fn = opened.use(await openFunction(id, place.env(contract)));
      measured.push({ fn, subjects, cost, ms: [] as number[] });
    }
    for (let round = -WARM_UP; round < rounds; round++)
      for (const { fn, subjects, ms } of measured) {
        const { cpuMs } = await fn.invoke(eventOf(await subjects(), `${id}-${round}`));
        if (round >= 0) ms.push(cpuMs);
      }
    const first = median(measured[0]?.ms ?? []);
    rows.push([id, ...measured.flatMap(({ cost, ms }) => [cost.units, cost.trips, median(ms) / first])]);
  }
  return {
    title: `Directories of ${sizes.join(', ')} accounts: units and round trips of a request; CPU time by the median of ${rounds} rounds, at ${SMALLEST} = 1.`,
    columns: sizes.flatMap((size) => [`${size}: units`, 'trips', ' CPU']),
    rows,
  };
};
