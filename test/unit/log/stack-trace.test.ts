import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { originalStack } from '#lib/log/stack-trace';

const REFUSE = `export function refuse(reason: string): never {
  const text = \`refused: \${reason}\`;
  throw new Error(text);
}
`;

const MAIN = `import { refuse } from '../deep/refuse.ts';

interface Request {
  readonly reasons: readonly string[];
}

function decide(request: Request) {
  return request.reasons.map((reason) => refuse(reason));
}

async function handle(request: Request) {
  await Promise.resolve();
  decide(request);
}

async function main() {
  await handle({ reasons: ['one\\n  of two lines'] });
}

main().catch((error: Error) => process.stdout.write(String(error.stack)));
`;

let folder: string;
let bundle: string;
let stack: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stack-trace-'));
  bundle = join(folder, 'dist/index.cjs');
  await mkdir(join(folder, 'src/deep'), { recursive: true });
  await writeFile(join(folder, 'src/main.ts'), MAIN);
  await writeFile(join(folder, 'src/deep/refuse.ts'), REFUSE);
  await build({
    absWorkingDir: folder,
    entryPoints: ['src/main.ts'],
    outfile: bundle,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  });
  stack = (await promisify(execFile)(process.execPath, [bundle])).stdout;
});

afterAll(() => rm(folder, { recursive: true }));

/** A file with a map of its own beside it. */
async function mapped(name: string, sources: string[], mappings: string) {
  const file = join(folder, name);
  await writeFile(`${file}.map`, JSON.stringify({ version: 3, sources, names: [], mappings }));
  return file;
}

/** The first character of the file is that of the first source, and nothing else is known. */
const FIRST = 'AAAA';

describe('the stack of a minified bundle', () => {
  test('is told with the functions, files and lines of the source', () => {
    expect(stack).toMatch(/index\.cjs:1:\d+/);
    expect(originalStack(stack)).toEqual([
      'at refuse (src/deep/refuse.ts:3:9)',
      'at (src/main.ts:8:42)',
      'at Array.map (<anonymous>)',
      'at decide (src/main.ts:8:26)',
      'at (src/main.ts:13:3)',
      'at (src/main.ts:17:3)',
    ]);
  });

  test('is told without the message, however many lines that has', () => {
    expect(originalStack('Error: x\n  at sea\nat last')).toEqual([]);
    expect(originalStack('')).toEqual([]);
  });

  test('is undefined where there is none', () => {
    expect(originalStack(undefined)).toBeUndefined();
  });
});

describe('a frame is told by its source, as V8 writes it', () => {
  test.each([
    ['of a function', (file: string) => `at f (${file}:1:1)`],
    ['of a method with another name', (file: string) => `at Object.f [as g] (${file}:1:1)`],
    ['of a constructor', (file: string) => `at new F (${file}:1:1)`],
    ['of a function that was awaited', (file: string) => `at async f (${file}:1:1)`],
    ['without a name', (file: string) => `at ${file}:1:1`],
    ['of a module', (file: string) => `at file://${file}:1:1`],
    ['of a function of a module', (file: string) => `at f (file://${file}:1:1)`],
  ])('%s', async (_what, write) => {
    const file = await mapped('any.cjs', ['../any.ts'], FIRST);
    expect(originalStack(`Error\n    ${write(file)}`)).toEqual(['at (any.ts:1:1)']);
  });
});

describe('a frame is left as it is', () => {
  test.each([
    'at node:internal/main/run_main_module:36:49',
    'at Module._compile (node:internal/modules/cjs/loader:1554:14)',
    'at Array.map (<anonymous>)',
    'at eval (eval at f (/any.cjs:1:1), <anonymous>:1:1)',
    'at process.processTicksAndRejections (native)',
  ])('of no file: %s', (frame) => {
    expect(originalStack(`Error\n    ${frame}`)).toEqual([frame]);
  });

  test('of a file without a source map', () => {
    const frame = `at f (${join(folder, 'src/main.ts')}:1:1)`;
    expect(originalStack(`Error\n    ${frame}`)).toEqual([frame]);
  });

  test('of a file whose source map is broken', async () => {
    const file = join(folder, 'broken.cjs');
    await writeFile(`${file}.map`, '{"version":3,');
    expect(originalStack(`Error\n    at f (${file}:1:1)`)).toEqual([`at f (${file}:1:1)`]);
  });

  test('at a place that the source map does not know', async () => {
    const file = await mapped('empty.cjs', [], '');
    expect(originalStack(`Error\n    at f (${file}:1:1)`)).toEqual([`at f (${file}:1:1)`]);
  });

  test('between frames of a bundle, and lends them no name', async () => {
    const file = await mapped('between.cjs', ['a.ts'], FIRST);
    const frames = [`at f (${file}:1:1)`, 'at g (native)', `at h (${file}:1:1)`];
    expect(originalStack(`Error\n    ${frames.join('\n    ')}`)).toEqual([
      'at (a.ts:1:1)',
      'at g (native)',
      'at (a.ts:1:1)',
    ]);
  });
});

test.each([
  ['../../../lib/../lib/far.ts', 'lib/../lib/far.ts'],
  ['lib/../lib/near.ts', 'lib/../lib/near.ts'],
])(
  'a source is told relative to the repository, wherever the bundle lies in it: %s',
  async (source, told) => {
    const file = await mapped(`${told.slice(-6)}.cjs`, [source], FIRST);
    expect(originalStack(`Error\n    at ${file}:1:1`)).toEqual([`at (${told}:1:1)`]);
  },
);

test('a source map is read once, and its absence is remembered', async () => {
  const file = await mapped('once.cjs', ['once.ts'], FIRST);
  const frame = `Error\n    at ${file}:1:1`;
  expect(originalStack(frame)).toEqual(['at (once.ts:1:1)']);
  await rename(`${file}.map`, join(folder, 'never.cjs.map'));
  expect(originalStack(frame)).toEqual(['at (once.ts:1:1)']);

  const late = `at ${join(folder, 'late.cjs')}:1:1`;
  expect(originalStack(`Error\n    ${late}`)).toEqual([late]);
  await mapped('late.cjs', ['late.ts'], FIRST);
  expect(originalStack(`Error\n    ${late}`)).toEqual([late]);
});
