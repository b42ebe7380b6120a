import { execFile } from 'node:child_process';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { originalStack } from '#lib/log/stack-trace';
import { newFolder } from '../support/folder.ts';

const REFUSE = `export function refuse(reason: string): never {
  const text = \`refused: \${reason}\`;
  throw new Error(text);
}
`;

const MAIN = `import { refuse } from './deep/refuse.ts';

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
  folder = newFolder();
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

/** A file with a source map, by which its first character is that of the first source. */
async function mapped(name: string, sources: string[]) {
  const file = join(folder, name);
  await writeFile(`${file}.map`, JSON.stringify({ version: 3, sources, names: [], mappings: 'AAAA' }));
  return file;
}

const stackOf = (...frames: string[]) => originalStack(`Error\n    ${frames.join('\n    ')}`);

test('the stack of a minified bundle has the functions, files and lines of the source', () => {
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

test.each([
  ['Error: x\n  at sea\nat last', []],
  ['', []],
  [undefined, undefined],
])('the stack has no line of the message: %j', (text, frames) => {
  expect(originalStack(text)).toEqual(frames);
});

test.each<[string, (file: string) => string]>([
  ['a function', (file) => `at f (${file}:1:1)`],
  ['a method with another name', (file) => `at Object.f [as g] (${file}:1:1)`],
  ['a constructor', (file) => `at new F (${file}:1:1)`],
  ['a function that was awaited', (file) => `at async f (${file}:1:1)`],
  ['code without a name', (file) => `at ${file}:1:1`],
  ['a module', (file) => `at file://${file}:1:1`],
  ['a function of a module', (file) => `at f (file://${file}:1:1)`],
])('a frame of %s names its source', async (_what, write) => {
  expect(stackOf(write(await mapped('any.cjs', ['../any.ts'])))).toEqual(['at (any.ts:1:1)']);
});

const frameIn = (file: string) => `at f (${file}:1:1)`;

test.each([
  'at node:internal/main/run_main_module:36:49',
  'at Module._compile (node:internal/modules/cjs/loader:1554:14)',
  'at Array.map (<anonymous>)',
  'at eval (eval at f (/any.cjs:1:1), <anonymous>:1:1)',
  'at process.processTicksAndRejections (native)',
])('a frame stays as it is when it is of no file: %s', (frame) => {
  expect(stackOf(frame)).toEqual([frame]);
});

test.each([
  ['its file has no source map', undefined],
  ['the source map does not know its place', '{"version":3,"sources":[],"names":[],"mappings":""}'],
  ['the source map is broken', '{"version":3,'],
])('a frame stays as it is when %s', async (what, map) => {
  const file = join(folder, `${what}.cjs`);
  if (map) await writeFile(`${file}.map`, map);
  expect(stackOf(frameIn(file))).toEqual([frameIn(file)]);
});

test.each([
  ['../../../lib/../lib/far.ts', 'lib/../lib/far.ts'],
  ['lib/../lib/near.ts', 'lib/../lib/near.ts'],
])('a source is relative to the repository, wherever the bundle is: %s', async (source, relative) => {
  const file = await mapped(`${relative.slice(-6)}.cjs`, [source]);
  expect(stackOf(`at ${file}:1:1`)).toEqual([`at (${relative}:1:1)`]);
});

test('a source map is read once, and so is its absence', async () => {
  const file = await mapped('once.cjs', ['once.ts']);
  const late = frameIn(join(folder, 'late.cjs'));
  const frames = () => stackOf(frameIn(file), late);
  expect(frames()).toEqual(['at (once.ts:1:1)', late]);
  await rename(`${file}.map`, join(folder, 'never.cjs.map'));
  await mapped('late.cjs', ['late.ts']);
  expect(frames()).toEqual(['at (once.ts:1:1)', late]);
});
