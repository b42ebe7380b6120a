import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { burst } from './burst.ts';
import { cold } from './cold.ts';
import { heat } from './heat.ts';
import { type Benchmark, table } from './report.ts';
import { scale } from './scale.ts';
import { warm } from './warm.ts';

/** Every benchmark, by the name that asks for it. */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  cold,
  heat,
  burst,
  warm,
  scale,
};

const USAGE = `npm run bench -- [${Object.keys(BENCHMARKS).join('] [')}] [--rounds 15] [--only account.profile]... [--accounts 1000000]
  Runs all benchmarks by default. Each prints a table, and writes it as JSON into test/bench/results.
  --rounds    repetitions of each measurement
  --only      only these functions
  --accounts  size of the largest directory of scale; 100,000 by default
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', multiple: true },
    accounts: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const unknown = positionals.find((name) => !(name in BENCHMARKS));
if (values.help || unknown !== undefined) {
  console.error(unknown === undefined ? USAGE : `There is no benchmark ${unknown}\n${USAGE}`);
  process.exit(values.help ? 0 : 2);
}
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds expects a whole number above 0');

const accounts = values.accounts === undefined ? undefined : Number(values.accounts);
if (accounts !== undefined && !(Number.isInteger(accounts) && accounts > 1000))
  throw new Error('--accounts expects a whole number above 1000');

const folder = join(import.meta.dirname, 'results');
await mkdir(folder, { recursive: true });
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const tell = (text: string) => void process.stderr.write(`${text}\n`);
  const report = await run({ rounds, only: values.only, accounts, tell });
  const machine = `${cpus().length} CPUs ${cpus()[0]?.model ?? ''}, Node.js ${process.versions.node}`;
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${report.title}\n${machine}, load ${load}\n\n${table(report.columns, report.rows)}\n`);
  const file = join(folder, `${name}.json`);
  await writeFile(file, `${JSON.stringify({ machine, measuredAt: new Date(), ...report }, undefined, 1)}\n`);
  console.log(`Written to ${file}`);
}
