import { contracts } from '#lib/routes';
import { bundle } from '../../infra/bundle.ts';
import { fillDirectory } from './fill.ts';
import { type Cost, startMeasuredInstance } from './instance.ts';
import { openFunction } from './open-function.ts';
import { type Benchmark, median, type Row } from './report.ts';
import { eventOf, type Subject, subjectsOf } from './subjects.ts';

const SMALLEST = 1000;
const DEFAULT_ACCOUNTS = 100_000;
const WARM_UP = 3;

/** 1,000, 10,000 and so on up to the largest. */
function sizesUpTo(accounts: number): number[] {
  const sizes = [];
  for (let size = SMALLEST; size < accounts; size *= 10) sizes.push(size);
  return [...sizes, accounts];
}

/** Measures each endpoint in directories of several sizes, each on an engine of its own, in memory, asked in turn. */
export const scale: Benchmark = async ({ rounds, only, accounts = DEFAULT_ACCOUNTS, tell }) => {
  await bundle();
  await using open = new AsyncDisposableStack();
  const sizes = sizesUpTo(accounts);
  const places: Awaited<ReturnType<typeof startMeasuredInstance>>[] = [];
  for (const size of sizes) {
    tell(`writing ${size} accounts`);
    const place = open.adopt(await startMeasuredInstance({ delayMs: 10 }), ({ stop }) => stop());
    await fillDirectory(place.instance.runtime, 0, size);
    places.push(place);
  }
  const rows: Row[] = [];
  for (const contract of contracts.filter(({ id, access }) =>
    only ? only.includes(id) : access !== 'public',
  )) {
    const { id } = contract;
    tell(id);
    await using opened = new AsyncDisposableStack();
    const costs: Cost[] = [];
    const measured: {
      fn: Awaited<ReturnType<typeof openFunction>>;
      subjects: () => Promise<Subject>;
      ms: number[];
    }[] = [];
    for (const place of places) {
      const subjects = subjectsOf(id, place.instance);
      costs.push(await place.costOf(subjects));
      const fn = opened.adopt(
        await openFunction(id, place.env(contract)),
        async (it) => void (await it.close()),
      );
      measured.push({ fn, subjects, ms: [] });
    }
    for (let round = -WARM_UP; round < rounds; round++)
      for (const { fn, subjects, ms } of measured) {
        const requestId = `${id}-${round}`;
        const event = eventOf(await subjects(), requestId);
        const { answerMs = 0 } = await fn.invoke({ requestId, event, trace: '' });
        if (round >= 0) ms.push(answerMs);
      }
    const first = median(measured[0]?.ms ?? []);
    rows.push([
      id,
      ...costs.flatMap(({ reads, writes, trips }, at) => [
        reads + writes,
        trips,
        median(measured[at]?.ms ?? []) / first,
      ]),
    ]);
  }
  return {
    title: `Directories of ${sizes.join(', ')} accounts: units and round trips of a request; CPU time by the median of ${rounds} rounds, at ${SMALLEST} = 1.`,
    columns: sizes.flatMap((size) => [`${size}: units`, 'trips', ' CPU']),
    rows,
  };
};
