// Before all others, which older versions of Node.js cannot load. Programs that tests start use its cache.
import '../infra/node-version.cjs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { browser, CHROMIUM, isMissing } from './browser/project.ts';
import { WHOLE } from './matrix.ts';
import { runtime } from './runtime/project.ts';
import { stack } from './stack/project.ts';
import { define, limits, page, unit } from './unit/project.ts';

/** Tests that only some machines can run: each project has a mode of its own. */
const APART = [browser, runtime, stack];

/** The projects of `npm test`: rules first, then the page, the template and the service, which share the workers. */
const EACH_COMMIT = [
  unit,
  page,
  // CDK is loaded once for all of its files.
  {
    name: 'infra',
    include: ['test/infra/**/*.test.ts'],
    setupFiles: 'test/infra/setup.ts',
    isolate: false,
  },
  {
    name: 'integration',
    include: ['test/integration/**/*.test.ts'],
    globalSetup: 'test/integration/global-setup.ts',
    setupFiles: 'test/integration/setup.ts',
    isolate: false,
  },
];

/** In milliseconds. Nothing takes a third of them while twenty other programs compete for the two cores. */
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } };

/** Files that start local instances or functions, or read the files of one: another service is tested without them. */
const LOCAL = 'test/integration/**/*.local.{test,slow.test}.ts';

const named = (include: readonly string[], kind: string) =>
  include.map((glob) => glob.replace('.test.ts', `.${kind}.test.ts`));
const slow = (include: readonly string[]) => named(include, 'slow');

/** Runs files first that wait for most of their time, or take longest: by size, they would run alone at the end. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification) =>
      Number(/(event-faults|keys|doctor|grants)(\.local)?\.slow/.test(moduleId));
    return (await super.sort(files)).sort((one, other) => waits(other) - waits(one));
  }
}

/** Runs files on one stack in one order: `service`, `first-deployment` and `keys` expect it as it was deployed, `calls` judges all others. */
class OnOneStack extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = [/stack\/service/, /stack\/first-deployment/, /stack\/keys/, /stack\/(?!calls)/, /./];
    const placeOf = ({ moduleId }: TestSpecification) => places.findIndex((place) => place.test(moduleId));
    const byName = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    return byName.sort((one, other) => placeOf(one) - placeOf(other));
  }
}

/** Each kind of test is a project, so that only what runs is set up: `--project unit`, or a path. */
export default defineConfig(({ mode }) => {
  if (mode === browser.name && isMissing) {
    console.log(`skipped: no Chromium at ${CHROMIUM} (CHROMIUM names another)`);
    process.exit(0);
  }
  const apart = APART.filter(({ name }) => name === mode);
  const others = process.env['BASE_URL'] ? [LOCAL] : [];
  const eachCommit = EACH_COMMIT.map(({ include, ...project }) => ({
    ...(mode === 'slow'
      ? {
          ...project,
          include: [...slow(include), ...named(include, 'matrix')],
          exclude: others,
          env: { ...('env' in project && project.env), ...WHOLE },
        }
      : { ...LIMITS, ...project, include, exclude: [...slow(include), ...others] }),
    sequence: { groupOrder: project.name === unit.name && mode !== 'slow' ? 0 : 1 },
  }));
  return {
    root: fileURLToPath(new URL('..', import.meta.url)),
    define,
    test: {
      // Slow tests wait for half of their time.
      maxWorkers: mode === 'slow' ? 4 : 2,
      ...(mode === 'slow' && { sequence: { sequencer: WaitingFirst } }),
      ...(mode === stack.name && { sequence: { sequencer: OnOneStack } }),
      // The first line of a failure shows up to so many characters of each value, not `[ Array(1) ]`.
      chaiConfig: { truncateThreshold: 1000 },
      ...limits,
      projects: (apart.length > 0 ? apart : eachCommit).map((test) => ({ extends: true, test })),
    },
  };
});
