import { join } from 'node:path';
import { build } from 'esbuild';
import { contract as browse } from '#lib/account/directory/browse.contract';
import { contract as profile } from '#lib/account/profile/profile.contract';
import type { Contract } from '#lib/contract/contract';
import { contract as ping } from '#lib/system/ping.contract';
import { contract as uuids } from '#lib/system/uuids.contract';
import { bundle, bundleFile } from '../../infra/bundle.ts';
import { newFolder } from '../unit/support/folder.ts';
import { fillDirectory } from './fill.ts';
import { startMeasuredInstance } from './instance.ts';
import { type OpenFunction, openFunction } from './open-function.ts';
import { type Benchmark, median } from './report.ts';
import { eventOf, logIn, type Subject } from './subjects.ts';

/** More accounts than one page holds. */
const ACCOUNTS = 10_500;
/** Requests of each kind in a round, one right after the other; full pages are fewer. */
const A_ROUND = 40;
const WARM_UP = 3;

interface Kind {
  readonly label: string;
  readonly contract: Contract;
  /** The bundle of the contract by default. */
  readonly file?: string;
  readonly path?: string;
  /** A known session by default. */
  readonly credential?: () => Promise<Pick<Subject, 'jwt' | 'token'>>;
  readonly count?: number;
}

/** Sends requests to warm functions; the unit is the CPU time of a bare GetItem of the account. */
export const warm: Benchmark = async ({ rounds, tell }) => {
  await bundle();
  await using open = new AsyncDisposableStack();
  const bareRead = join(newFolder(), 'bare-read.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'bare-read.ts')],
    outfile: bareRead,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
  });
  const { instance, env } = open.adopt(await startMeasuredInstance(), ({ stop }) => stop());
  const { url, token, jwt } = instance;
  tell(`writing ${ACCOUNTS} accounts`);
  await fillDirectory(instance.runtime, ACCOUNTS);

  const newSession = async () => ({ jwt: await logIn(url, token) });
  const kinds: readonly Kind[] = [
    { label: 'a bare GetItem of the document client', contract: ping, file: bareRead },
    { label: 'ping, known session', contract: ping },
    { label: 'ping, new session', contract: ping, credential: newSession },
    { label: 'ping, API token', contract: ping, credential: async () => ({ token }) },
    { label: 'profile, known session', contract: profile, path: '/api/core/account/profile' },
    { label: 'uuids?n=10000', contract: uuids, path: `${uuids.path}?n=10000` },
    { label: 'directory, 100 accounts', contract: browse, path: `${browse.path}?limit=100`, count: 4 },
    { label: 'directory, a full page', contract: browse, count: 1 },
  ];
  const functions = new Map<string, OpenFunction>();
  for (const { contract, file = bundleFile(contract.id) } of kinds)
    if (!functions.has(file))
      functions.set(file, open.use(await openFunction(contract.id, env(contract), file)));
  const taken = kinds.map(() => [] as number[]);
  for (let round = -WARM_UP; round < rounds; round++) {
    tell(`round ${round + 1} of ${rounds}`);
    for (const [at, kind] of kinds.entries()) {
      const { contract, path = contract.path, credential = async () => ({ jwt }), count = A_ROUND } = kind;
      const fn = functions.get(kind.file ?? bundleFile(contract.id)) as OpenFunction;
      for (let n = 0; n < count; n++) {
        const subject = { method: 'GET', path, ...(await credential()) };
        const { cpuMs, statusCode } = await fn.invoke(eventOf(subject, `${round}-${at}-${n}`));
        if (round >= 0 && statusCode === 200) taken[at]?.push(cpuMs);
      }
    }
  }
  const medians = taken.map(median);
  return {
    title: `Warm requests: the median CPU time of ${rounds} rounds, all threads, from the request to the answer; ${ACCOUNTS} accounts.`,
    columns: ['     ms', 'bare GetItem = 1'],
    rows: kinds.map(({ label }, at) => [label, medians[at], (medians[at] ?? 0) / (medians[0] ?? 0)] as const),
  };
};
