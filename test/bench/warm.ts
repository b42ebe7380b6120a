import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ping, uuids } from '#lib/system/contracts';
import { bundle, bundleFile, ROOT } from '../../infra/bundle.ts';
import { eventOf } from '../cost/measure.ts';
import { openFunction } from '../cost/open-function.ts';
import { openDirectory } from './directory.ts';
import { type Benchmark, median } from './report.ts';

const ACCOUNTS = 10;
/** Requests of each kind in a round, of which one follows right after the other. */
const A_ROUND = 40;
const WARM_UP = 10;

const FASTIFY = join(ROOT, 'test/fastify/node_modules');

/** What is measured beside the functions, by the name of its file. */
const OTHERS = ['bare-read', 'own-read', 'plain-ping', 'fastify-ping'] as const;

/** Sends requests to functions that are warm, and takes their CPU time beside that of a bare read of the account. */
export const warm: Benchmark = async ({ rounds, tell }) => {
  const hasFastify = await access(FASTIFY).then(
    () => true,
    () => false,
  );
  if (!hasFastify) tell('Without Fastify, until it is installed: npm ci --prefix test/fastify');
  await bundle();
  const folder = await mkdtemp(join(tmpdir(), 'warm-'));
  await buildOthers(folder, hasFastify);
  const directory = await openDirectory(ACCOUNTS);
  const [seen, token] = [{ jwt: await directory.session() }, { token: await directory.token() }];
  const fresh = async () => ({ jwt: await directory.session() });

  const open = (contract: typeof ping | typeof uuids, file = bundleFile(contract.id)) =>
    openFunction(contract.id, directory.env(contract), file);
  const other = (name: (typeof OTHERS)[number]) => open(ping, join(folder, `${name}.js`));
  const bare = await other('bare-read');
  const own = await other('own-read');
  const plain = await other('plain-ping');
  const fastify = hasFastify ? await other('fastify-ping') : undefined;
  const [echo, many] = [await open(ping), await open(uuids)];
  const kinds = [
    ['a bare read', bare, ping.path, () => seen],
    ['a read as functions do it', own, ping.path, () => seen],
    ['ping, a session seen before', echo, ping.path, () => seen],
    ['ping, a new session', echo, ping.path, fresh],
    ['ping, an API token seen before', echo, ping.path, () => token],
    ['the same by hand, a session seen before', plain, ping.path, () => seen],
    ['the same by hand, a new session', plain, ping.path, fresh],
    ...(fastify
      ? ([
          ['the same by Fastify, a session seen before', fastify, ping.path, () => seen],
          ['the same by Fastify, a new session', fastify, ping.path, fresh],
        ] as const)
      : []),
    ['uuids?n=10000', many, `${uuids.path}?n=10000`, () => seen],
  ] as const;
  const taken = kinds.map(() => [] as number[]);
  try {
    for (let round = -WARM_UP; round < rounds; round++) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const [at, [, fn, path, credential]] of kinds.entries())
        for (let n = 0; n < A_ROUND; n++) {
          const requestId = `${round}-${at}-${n}`;
          const event = eventOf({ method: 'GET', path, ...(await credential()) }, requestId);
          const { answerMs = 0 } = await fn.invoke({ requestId, event, trace: '' });
          if (round >= 0) taken[at]?.push(answerMs);
        }
    }
  } finally {
    await Promise.all([bare, own, plain, fastify, echo, many].map((fn) => fn?.close()));
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

const buildOthers = (outdir: string, hasFastify: boolean) =>
  build({
    entryPoints: OTHERS.filter((name) => hasFastify || name !== 'fastify-ping').map((name) =>
      join(import.meta.dirname, `${name}.${name === 'fastify-ping' ? 'js' : 'ts'}`),
    ),
    outdir,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    nodePaths: [FASTIFY],
  });
