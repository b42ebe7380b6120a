import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Status = 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'CompileError' | 'RuntimeError';

/** One change of a source, and whether a test noticed it: a part of Stryker's report. */
interface Mutant {
  readonly status: Status;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
}
interface Position {
  readonly line: number;
  readonly column: number;
}
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[]; readonly source: string }>>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUT = '.stryker-tmp';
/** The files of `lib` that are in no module. */
const GROUND = 'ground';

/** The operator commands: `infra/admin`, with the tests of `test/unit/admin`. */
const OPERATORS = 'operators';
/** Modules of pages: their tests send requests or run in a browser. */
const PAGES = ['admin-page', 'docs'];

const isModule = (name: string) => !name.includes('.') && !PAGES.includes(name);
const modules = [GROUND, ...readdirSync(join(ROOT, 'lib')).filter(isModule), OPERATORS];
const asked = process.argv.slice(2);

/** Runs Stryker on some sources with some of the unit tests. */
function stryker(mutate: string, tests: readonly string[]): Report {
  rmSync(join(ROOT, OUTPUT, 'report.json'), { force: true });
  const { status } = spawnSync(
    'test/mutation/node_modules/.bin/stryker',
    ['run', 'test/mutation/stryker.config.json', '--mutate', mutate],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, MUTATION_TESTS: tests.join(',') },
    },
  );
  if (status !== 0) throw new Error(`Stryker ended with ${status} on ${mutate}`);
  // Stryker writes no report when all changes are of what is evaluated once.
  const report = join(ROOT, OUTPUT, 'report.json');
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { files: {} };
}

function sourcesOf(module: string): string {
  if (module === OPERATORS) return 'infra/admin/**/*.ts';
  return module === GROUND ? 'lib/*.ts' : `lib/${module}/**/*.ts`;
}
/** The tests of a module; all unit tests for a module that has none of its own. */
function testsOf(module: string): string {
  if (module === GROUND) return 'test/unit/*.test.ts';
  if (module === OPERATORS) return 'test/unit/admin/**/*.test.ts';
  return existsSync(join(ROOT, 'test/unit', module))
    ? `test/unit/${module}/**/*.test.ts`
    : 'test/unit/**/*.test.ts';
}

const isMissed = ({ status }: Mutant) => status === 'Survived' || status === 'NoCoverage';
const counts = (mutant: Mutant) => isMissed(mutant) || ['Killed', 'Timeout'].includes(mutant.status);

const mutantsOf = (report: Report) =>
  Object.entries(report.files).flatMap(([file, { mutants, source }]) =>
    mutants.filter(counts).map((mutant) => ({ file, source, mutant })),
  );
type Found = ReturnType<typeof mutantsOf>[number];

/** Where a mutant is, as `--mutate` takes it: columns count from 0 there, and from 1 in a report. */
const range = ({ file, mutant }: Found) => {
  const { start, end } = mutant.location;
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
};

/** Identifies a mutant in another report: its file, its place and its replacement. */
const identity = (found: Found) => `${range(found)} ${found.mutant.mutatorName} ${found.mutant.replacement}`;

const textOf = ({ source, mutant: { location } }: Found) =>
  source
    .split('\n')
    [location.start.line - 1]?.slice(location.start.column - 1)
    .trim();

const unknown = asked.filter((module) => !modules.includes(module));
if (unknown.length > 0) {
  console.error(`There is no module ${unknown.join(', ')}: choose ${modules.join(', ')}`);
  process.exit(2);
}
mkdirSync(join(ROOT, OUTPUT), { recursive: true });
const table: { module: string; mutants: number; missed: readonly Found[] }[] = [];
for (const module of asked.length > 0 ? asked : modules) {
  const own = mutantsOf(stryker(sourcesOf(module), [testsOf(module)]));
  table.push({ module, mutants: own.length, missed: own.filter(({ mutant }) => isMissed(mutant)) });
}

// Tests of other modules may notice changes that the tests of the module miss; none of them imports operator commands.
const inLib = table.filter(({ module }) => module !== OPERATORS);
const elsewhere = inLib.flatMap(({ missed }) => missed);
if (elsewhere.length > 0) {
  const again = mutantsOf(stryker(elsewhere.map(range).join(','), ['test/unit/**/*.test.ts']));
  const isMissedBy = new Map(again.map((found) => [identity(found), isMissed(found.mutant)]));
  for (const row of table.filter(({ module }) => module !== OPERATORS)) {
    // This run does not count changes of what is evaluated once; no test of the module loads their files.
    const counted = row.missed.filter((found) => isMissedBy.has(identity(found)));
    row.mutants -= row.missed.length - counted.length;
    row.missed = counted.filter((found) => isMissedBy.get(identity(found)));
  }
}

for (const found of table.flatMap(({ missed }) => missed))
  console.log(`${range(found)} ${textOf(found)} -> ${found.mutant.replacement}`);
const line = (module: string, mutants: number, missed: number) =>
  console.log(
    `| ${module} | ${mutants} | ${mutants - missed} | ${missed} | ${((1 - missed / mutants) * 100).toFixed(1)} % |`,
  );
console.log('\n| module | mutants | killed | survived | killed of all |\n|---|---|---|---|---|');
for (const { module, mutants, missed } of table) line(module, mutants, missed.length);
const mutants = inLib.reduce((sum, row) => sum + row.mutants, 0);
line('**lib**', mutants, inLib.flatMap(({ missed }) => missed).length);
