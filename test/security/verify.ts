import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { SUITES } from './suites.ts';

/**
 * Runs all that attacks the service, one after the other, and prints one table of figures.
 * `--full` takes about an hour; without it each part is shorter, and all take a quarter of one.
 */
const { values } = parseArgs({ options: { full: { type: 'boolean', default: false } } });
const { full } = values;

interface Row {
  readonly what: string;
  readonly figures: string;
  readonly good: boolean;
}

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs a program, whose output is also shown. */
function run(file: string, ...args: readonly string[]): Promise<Run> {
  console.error(`\n> ${[file, ...args].join(' ')}`);
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stderr.write(text);
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, output })));
}

/** The last line of an output that is JSON. */
const lastJson = (output: string) =>
  JSON.parse(output.split('\n').findLast((line) => line.startsWith('{')) ?? '{}') as Record<string, never>;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** How many cases a test has: many say so at the end of their title, as `none of the alphabet (64)`. */
const casesIn = (title: string) => Number(/\((\d+)\)$/.exec(title)?.[1] ?? 1);

/** The tests of all suites, in one run; a row for each suite. */
async function suites(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'core-account-verify-'));
  const file = join(folder, 'report.json');
  const paths = SUITES.flatMap((suite) => suite.paths);
  const args = ['--project', 'integration', '--project', 'unit', '--reporter=json', `--outputFile=${file}`];
  await run('vitest', 'run', '--config', 'test/vitest.config.ts', ...args, ...paths);
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as Report;
  await rm(folder, { recursive: true });
  return SUITES.map(({ what, paths: of }) => {
    const results = testResults
      .filter(({ name }) => of.some((path) => name.includes(path)))
      .flatMap(({ assertionResults }) => assertionResults);
    const [passed, failed] = ['passed', 'failed'].map((wanted) =>
      results
        .filter(({ status }) => status === wanted)
        .reduce((total, { title }) => total + casesIn(title), 0),
    );
    return { what, figures: `${passed} cases hold, ${failed} do not`, good: passed !== 0 && failed === 0 };
  });
}

async function times(): Promise<Row> {
  const { code, output } = await run(
    'node',
    'test/security/refusal-times.ts',
    '--tries',
    full ? '200' : '30',
  );
  const { lowered, raised } = lastJson(output) as unknown as Record<string, { ratio: number; tries: number }>;
  const ratios = [lowered?.ratio ?? Number.NaN, raised?.ratio ?? Number.NaN];
  return {
    what: 'time of a refusal, account against name without one, cost lowered and raised',
    figures: `medians of ${lowered?.tries} tries: ${ratios.join(' and ')} times (at most 1.2)`,
    good: code === 0 && ratios.every((ratio) => ratio <= 1.2),
  };
}

async function fuzz(): Promise<Row> {
  const { code, output } = await run('node', 'test/fuzz/main.ts', '--requests', full ? '200000' : '5000');
  const figures = output
    .trim()
    .split('\n')
    .filter((line) => /requests in|Slowest|Seed/.test(line));
  return { what: 'fuzz over HTTP', figures: figures.join('; '), good: code === 0 };
}

async function histories(what: string, ...args: readonly string[]): Promise<Row> {
  const { code, output } = await run('node', 'test/histories/main.ts', ...args);
  const { episodes, operations, unanswered, violations, broken, kills } = lastJson(output);
  return {
    what,
    figures: `${operations} operations in ${episodes} histories, ${unanswered} unanswered, ${kills} kills: ${violations} unexplained, ${broken} of another 5xx than 503`,
    good: code === 0,
  };
}

async function script(what: string, name: string): Promise<Row> {
  const { code, output } = await run('npm', 'run', '-s', name);
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => /^ *Tests |skipped:/.test(line));
  return { what, figures: lines.map((line) => line.trim()).join('; '), good: code === 0 };
}

const rows = [
  ...(await suites()),
  await times(),
  await fuzz(),
  await histories('histories under kill -9', ...(full ? [] : ['--minutes', '2', '--kill-every', '15'])),
  await histories('histories under faults of DynamoDB', '--faults', '--minutes', full ? '5' : '1'),
  await script('DynamoDB Local as the engine', 'test:dynamodb-local'),
  await script('a browser', 'test:browser'),
];

console.log('\n| What | Figures | |\n| --- | --- | --- |');
for (const { what, figures, good } of rows)
  console.log(`| ${what} | ${figures} | ${good ? 'holds' : 'DOES NOT HOLD'} |`);
process.exit(rows.every(({ good }) => good) ? 0 : 1);
