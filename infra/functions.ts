import { posix } from 'node:path';
import type { Contract, Job } from '#lib/contract/contract';
import { ACTIVITY, type Need } from '#lib/contract/needs';
import { functions, needsOf, sourceOf } from '#lib/routes';
import budgets from './cost/budgets.json' with { type: 'json' };
import { readSources, type SourceFile } from './sources.ts';

type Table = readonly [head: readonly string[], rows: readonly (readonly string[])[]];

/** Folder of the page, which the links are relative to. */
const FOLDER = 'functions';

const link = (path: string, name: string) => `[${name}](${posix.relative(FOLDER, path)})`;

/** Links to files by their names, without what those of one kind have in common. */
const links = (paths: readonly string[]) =>
  paths.map((path) => link(path, posix.basename(path).replace(/(\.test)?\.ts$/, ''))).join(', ');

/** The module of a file of `lib`, or of its unit tests: the name of the folder. */
const moduleOf = (path: string) => path.replace('test/unit/', 'lib/').split('/')[1];

const isEndpoint = (one: Contract | Job): one is Contract => 'path' in one;

const isDefinition = (path: string) => /(\.contract|\/jobs)\.ts$/.test(path);

/** The files of a function: its source, its contract or job, and the rule that it calls, which is in the same module. */
interface Parts {
  readonly source: string;
  readonly definition: string;
  readonly rule: readonly string[];
}

function partsOf(one: Contract | Job, sources: readonly SourceFile[]): Parts {
  const source = sourceOf(one);
  const imports = sources.find(({ path }) => path === source)?.imports ?? [];
  const used = imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target);
  const definition = used.find(isDefinition);
  if (definition === undefined) throw new Error(`${source} imports no contract and no job`);
  const rule = used.filter((path) => path !== definition && moduleOf(path) === moduleOf(definition));
  return { source, definition, rule };
}

/**
 * The unit tests of a rule: those of its module that import it or its contract, or have its name. A rule without them has
 * those of other modules, or the tests over HTTP that name its path.
 */
function testsOf(one: Contract | Job, { definition, rule }: Parts, tests: readonly SourceFile[]) {
  const own = rule.map((path) => path.replace('lib/', 'test/unit/').replace(/\.ts$/, '.test.ts'));
  const importing = tests.filter(({ imports }) =>
    imports.some(({ target }) => rule.includes(target) || (target === definition && isEndpoint(one))),
  );
  const isOwn = ({ path }: SourceFile) => own.includes(path);
  const ofModule = tests.filter(
    (test) => isOwn(test) || (importing.includes(test) && moduleOf(test.path) === moduleOf(definition)),
  );
  const naming = tests.filter(
    ({ path, text }) => path.startsWith('test/integration/') && isEndpoint(one) && pathIn(one).test(text),
  );
  const found = [ofModule, importing, naming].find((some) => some.length > 0) ?? [];
  return [...found.filter(isOwn), ...found.filter((test) => !isOwn(test))].map(({ path }) => path);
}

/** The path of an endpoint up to its first parameter, as a word. */
const pathIn = ({ path }: Contract) =>
  new RegExp(`${path.replace(/\/\{.*/, '').replaceAll('.', '\\.')}\\b(?!-)`);

const BUDGETS: Readonly<Record<string, Record<'roundTrips' | 'reads' | 'writes', number>>> = budgets;

function budgetOf({ id }: Contract | Job): string {
  const { roundTrips, reads, writes } = BUDGETS[id] ?? {};
  return [roundTrips, reads, writes].filter((number) => number !== undefined).join(', ');
}

const isActivity = (need: Need) => (ACTIVITY as readonly Need[]).includes(need);

/** The kinds of items that a function may write, besides the activity of its caller. */
function writtenBy({ needs }: Contract | Job): string {
  const written = needs
    .filter((need) => !isActivity(need))
    .flatMap((need) => /:(?:Put|Update|Delete|BatchWrite)Item:(\w+)/.exec(need)?.[1] ?? []);
  return [...new Set(written)]
    .sort()
    .map((kind) => `\`${kind}\``)
    .join(' ');
}

/** Every function, with its parts, its tests and what it may do. */
export function functionsTable(): Table {
  const sources = readSources();
  const tests = sources.filter(({ path }) => path.endsWith('.test.ts'));
  return [
    ['Function', 'Contract', 'Rule', 'Tests', 'Round trips, reads, writes', 'Grants', 'May write'],
    functions.map((one) => {
      const parts = partsOf(one, sources);
      return [
        link(parts.source, `\`${one.id}\``),
        link(parts.definition, parts.definition.replace(/^lib\/|(\.contract)?\.ts$/g, '')),
        links(parts.rule),
        links(testsOf(one, parts, tests)),
        budgetOf(one),
        `${needsOf(one).size}`,
        writtenBy(one),
      ];
    }),
  ];
}
