import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { functions } from '#lib/routes';
import { removeFolders } from '../unit/support/folder.ts';
import { burst } from './burst.ts';
import { cold } from './cold.ts';
import { heat } from './heat.ts';
import { init } from './init.ts';
import { type Benchmark, table } from './report.ts';
import { scale } from './scale.ts';
import { teams } from './teams.ts';
import { warm } from './warm.ts';

/** Every benchmark, by its name on the command line. */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = { cold, init, heat, burst, warm, scale, teams };

const USAGE = `npm run bench -- [${Object.keys(BENCHMARKS).join('] [')}] [--rounds 15] [--only account.profile]... [--accounts 1000000]
  Runs all benchmarks by default. Each prints a table.
  --rounds    repetitions of each measurement
  --only      functions to measure, all by default
  --accounts  size of the largest directory of scale, and of that of teams; 100,000 by default
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', multiple: true },
    accounts: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
});
const [rounds, accounts] = [Number(values.rounds), Number(values.accounts)];
const isValid =
  [rounds, accounts].every(Number.isInteger) &&
  rounds >= 1 &&
  accounts > 1000 &&
  (values.only ?? []).every((name) => functions.some(({ id }) => id === name));
if (values.help || !isValid || positionals.some((name) => !(name in BENCHMARKS))) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

process.once('exit', removeFolders);
const tell = (text: string) => void process.stderr.write(`${text}\n`);
for (const [name, run] of Object.entries(BENCHMARKS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const report = await run({ rounds, only: values.only, accounts, tell });
  if ('skipped' in report) {
    console.log(`${name}: skipped, ${report.skipped}\n`);
    continue;
  }
  const machine = `${cpus().length} CPUs ${cpus()[0]?.model ?? ''}, Node.js ${process.versions.node}`;
  console.log(`${report.title}\n${machine}, load ${loadavg()[0]?.toFixed(1)}\n\n${table(report)}\n`);
}
