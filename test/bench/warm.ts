import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ping, uuids } from '#lib/system/contracts';
import { bundle, bundleFile } from '../../infra/bundle.ts';
import { eventOf } from '../cost/measure.ts';
import { openFunction } from '../cost/open-function.ts';
import { openDirectory } from './directory.ts';
import { type Benchmark, median } from './report.ts';

const ACCOUNTS = 10;
/** Requests of each kind in a round, of which one follows right after the other. */
const A_ROUND = 40;
const WARM_UP = 5;

/** Sends requests to functions that are warm, and takes their CPU time beside that of a bare read of the account. */
export const warm: Benchmark = async ({ rounds, tell }) => {
  await bundle();
  const folder = await mkdtemp(join(tmpdir(), 'warm-'));
  const bareFile = join(folder, 'bare.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'bare-read.ts')],
    outfile: bareFile,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
  });
  const directory = await openDirectory(ACCOUNTS);
  const jwt = await directory.session();
  const open = (contract: typeof ping | typeof uuids, file = bundleFile(contract.id)) =>
    openFunction(contract.id, directory.env(contract), file);
  const [bare, echo, many] = [await open(ping, bareFile), await open(ping), await open(uuids)];
  const kinds = [
    ['a bare read', bare, ping.path, () => jwt],
    ['ping, a session seen before', echo, ping.path, () => jwt],
    ['ping, a new session', echo, ping.path, directory.session],
    ['uuids?n=10000', many, `${uuids.path}?n=10000`, () => jwt],
  ] as const;
  const taken = kinds.map(() => [] as number[]);
  try {
    for (let round = -WARM_UP; round < rounds; round++) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const [at, [, fn, path, sessionOf]] of kinds.entries())
        for (let n = 0; n < A_ROUND; n++) {
          const requestId = `${round}-${at}-${n}`;
          const event = eventOf({ method: 'GET', path, jwt: await sessionOf() }, requestId);
          const { answerMs = 0 } = await fn.invoke({ requestId, event, trace: '' });
          if (round >= 0) taken[at]?.push(answerMs);
        }
    }
  } finally {
    await Promise.all([bare.close(), echo.close(), many.close()]);
    await directory.close();
    await rm(folder, { recursive: true });
  }
  const [floor = 0, ...others] = taken.map(median);
  return {
    title: `Warm requests: the median CPU time of ${rounds * A_ROUND} of each, in ms, all threads, from the request to the answer.`,
    columns: ['   ms', 'over a bare read', 'bare read = 1'],
    rows: [floor, ...others].map((ms, at) => [kinds[at]?.[0] ?? '', ms, ms - floor, ms / floor] as const),
  };
};
