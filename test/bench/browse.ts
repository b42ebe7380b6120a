import { browse as browseContract, profile as profileContract } from '#lib/account/contracts';
import { bundle } from '../../infra/bundle.ts';
import { eventOf } from '../cost/measure.ts';
import { openFunction } from '../cost/open-function.ts';
import { openDirectory } from './directory.ts';
import { type Benchmark, median } from './report.ts';

/** More than one answer holds. */
const ACCOUNTS = 10_500;

const BROWSE = '/api/core/account/browse';

const WARM_UP = 3;

/** What a request takes: of the processor, in the function alone; until its whole answer is there. */
interface Taken {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Reads pages of the directory, and a profile to compare them with, in functions that are warm. */
export const browse: Benchmark = async ({ rounds, tell }) => {
  await bundle();
  tell(`writing ${ACCOUNTS} accounts`);
  const directory = await openDirectory(ACCOUNTS);
  const open = (contract: typeof browseContract | typeof profileContract) =>
    openFunction(contract.id, directory.env(contract));
  const [list, profile] = [await open(browseContract), await open(profileContract)];
  const jwt = await directory.session();
  const requests = [
    ['a full page', list, BROWSE],
    ['limit=100', list, `${BROWSE}?limit=100`],
    ['a profile', profile, '/api/core/account/profile'],
  ] as const;
  const taken = requests.map(([label]) => ({ label, all: [] as Taken[] }));
  try {
    for (let round = -WARM_UP; round < rounds; round++) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const [at, [label, fn, path]] of requests.entries()) {
        const requestId = `${round}-${at}`;
        const started = performance.now();
        const event = eventOf({ method: 'GET', path, jwt }, requestId);
        const { cpuMs, result } = await fn.invoke({ requestId, event, trace: '' });
        const wallMs = performance.now() - started;
        const { statusCode } = result as { statusCode: number };
        // A machine that others keep busy may leave the engine no time to answer.
        if (statusCode === 503) tell(`${label}: ${statusCode}`);
        else if (round >= 0) taken[at]?.all.push({ cpuMs, wallMs });
      }
    }
  } finally {
    await Promise.all([list.close(), profile.close()]);
    await directory.close();
  }
  const of = (at: number, measure: keyof Taken) =>
    median((taken[at]?.all ?? []).map((each) => each[measure]));
  return {
    title: `A directory of ${ACCOUNTS} accounts: the median of ${rounds} alternating rounds, in ms.
CPU time is that of the function's process, all threads; wall time includes the engine, and the way to the function.`,
    columns: ['    CPU', 'CPU, profile = 1', '   wall', 'wall, profile = 1'],
    rows: taken.map(({ label }, at) => {
      const [cpu, wall] = [of(at, 'cpuMs'), of(at, 'wallMs')];
      return [label, cpu, cpu / of(2, 'cpuMs'), wall, wall / of(2, 'wallMs')] as const;
    }),
  };
};
