import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build, type Metafile, stop } from 'esbuild';
import { functions, sourceOf } from '#lib/routes';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** The folder that holds a function's code and nothing else. */
export const bundleFolder = (id: string) => join(DIST, id);

/** The one file in there: its export `handler` is the function. */
export const bundleFile = (id: string) => join(bundleFolder(id), 'index.cjs');

export interface Bundle {
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
}

export interface Bundles {
  /** In the order of {@link functions}. */
  readonly functions: readonly Bundle[];
  /** What went into each file, in the format of esbuild. */
  readonly metafile: Metafile;
}

/**
 * Bundles every function, the AWS SDK included. Each becomes one minified CommonJS file: that loads about 9 ms
 * faster than an ES module, and about 15 ms faster than with the SDK left to the runtime.
 *
 * A file that would not change is left alone, and others are replaced in one step, so that several processes
 * may bundle while local instances run.
 */
export async function bundle(): Promise<Bundles> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: functions.map((definition) => ({
      in: sourceOf(definition),
      out: `${definition.id}/index`,
    })),
    outdir: DIST,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias: { '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'environment-credentials.ts') },
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  // Its process would keep half a gigabyte while an instance runs.
  await stop();
  await removeOthers();
  await Promise.all(outputFiles.map(({ path, contents }) => replace(path, contents)));
  const bytes = new Map(outputFiles.map(({ path, contents }) => [path, contents.length]));
  return {
    functions: functions.map(({ id }) => ({
      id,
      file: bundleFile(id),
      bytes: bytes.get(bundleFile(id)) ?? 0,
    })),
    metafile,
  };
}

async function removeOthers() {
  await mkdir(DIST, { recursive: true });
  const ids: readonly string[] = functions.map(({ id }) => id);
  const others = (await readdir(DIST)).filter((name) => !ids.includes(name) && !name.startsWith('.'));
  await Promise.all(others.map((name) => rm(join(DIST, name), { recursive: true, force: true })));
}

async function replace(path: string, contents: Uint8Array) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(contents)) return;
  // Beside the folders of functions, which hold just their own file.
  const temporary = `${DIST}${sep}.${relative(DIST, path).replaceAll(sep, '.')}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

if (import.meta.main) {
  const started = performance.now();
  const { functions: built } = await bundle();
  const width = Math.max(...built.map(({ id }) => id.length));
  for (const { id, bytes } of built)
    console.log(`${id.padEnd(width)}  ${(bytes / 1000).toFixed(1).padStart(7)} kB`);
  console.log(`${built.length} functions in ${Math.round(performance.now() - started)} ms`);
}
