import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type BuildOptions, type BuildResult, build, formatMessages, stop } from 'esbuild';
import { contract as page } from '#lib/admin-page/page.contract';
import type { Contract, Job } from '#lib/contract/contract';
import { contract as script } from '#lib/docs/script.contract';
import { functions, sourceOf } from '#lib/routes';
import project from '../package.json' with { type: 'json' };
import { adminPage, PAGE_PACKAGES } from './bundle/admin-page.ts';
import { INIT, INIT_FILE, initialises } from './bundle/init.ts';
import { leaveOut } from './bundle/leave-out.ts';
import { noticesOf } from './bundle/notices.ts';
import { onDemand, onDemandOf } from './bundle/on-demand.ts';
import { docsScript, RENDERER_PACKAGES } from './openapi/renderer.ts';
import { writeFault } from './write-fault.ts';

export const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** Output folder of the client for other projects; IDs of functions have a dot. */
export const CLIENT_FOLDER = join(DIST, 'client');

/** Folder of a function: only its code, source map, licences and assets. */
export const bundleFolder = (id: string) => join(DIST, id);

/** Licences of the packages in the code of a function. */
const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** Packages in the assets of a function, which its code does not import. */
const IN_ASSETS: Record<string, readonly string[]> = {
  [page.id]: PAGE_PACKAGES,
  [script.id]: RENDERER_PACKAGES,
};

/** Code of a function; its export `handler` is the function. Lambda loads it through {@link INIT}, where there is one. */
export const bundleFile = (id: string) => join(bundleFolder(id), 'index.cjs');

const OPTIONS = {
  absWorkingDir: ROOT,
  outdir: DIST,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  // import() of Node.js modules by the SDK would load the loader of ES modules.
  supported: { 'dynamic-import': false },
  mainFields: ['module', 'main'],
  alias: { '@aws-sdk/credential-provider-node': './infra/bundle/credentials.ts' },
  // The script of the documentation page is the only file that this build copies.
  assetNames: `${script.id}/[name]-[hash]`,
  // Licences are in a file of their own.
  legalComments: 'none',
  // For stack traces and debuggers; functions do not read it at start.
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

export type Built = BuildResult<typeof OPTIONS>;

/**
 * Bundles every function, including the AWS SDK. Each becomes a minified CommonJS file, which loads faster than an ES
 * module, and than with the SDK of the runtime.
 *
 * @param isDevelopment whether the administrator's page has the screen of its parts
 */
export async function bundle(isDevelopment = false): Promise<Built> {
  const built = await bundleOnly(functions, isDevelopment);
  for (const text of await formatMessages(built.warnings, { kind: 'warning' })) console.warn(text.trim());
  // Its process would keep its memory while an instance runs.
  await stop();
  return built;
}

/**
 * Bundles some functions in one esbuild call, and leaves the bundles of others as they are. They contain the OpenAPI
 * document, so that it is never older than the contracts.
 *
 * @throws BuildFailure if a source does not build, or Error with a text for people if the folder cannot be written
 */
export async function bundleOnly(some: readonly (Contract | Job)[], isDevelopment = false): Promise<Built> {
  const { openApi } = await import('./openapi.ts');
  const { welcome, welcomeStyle } = await import('./openapi/welcome.ts');
  // Garbage collection would take time, and the process ends within seconds.
  process.env['GOGC'] ??= 'off';
  process.env['GOMEMLIMIT'] ??= '1GiB';
  const built = await build({
    ...OPTIONS,
    entryPoints: some.map((one) => ({ in: sourceOf(one), out: `${one.id}/index` })),
    plugins: [docsScript, adminPage(ROOT, isDevelopment), onDemand, leaveOut],
    define: {
      // As text, because with an object esbuild makes every module call its initialiser.
      OPENAPI_DOCUMENT: JSON.stringify(JSON.stringify(openApi())),
      DOCS_STYLE: JSON.stringify(await welcomeStyle()),
      DOCS_WELCOME: JSON.stringify(welcome()),
      PROJECT_VERSION: JSON.stringify(project.version),
      'import.meta.dirname': '__dirname',
    },
  });
  const later = await build({ ...OPTIONS, entryPoints: onDemandOf(built.metafile) });
  await write([built, later], some);
  return built;
}

/**
 * Writes the result of a build. Unchanged files stay, and others are replaced atomically, so that several processes can
 * bundle while local instances run.
 */
async function write(all: readonly Built[], some: readonly (Contract | Job)[]): Promise<void> {
  const files = [
    ...all.flatMap(({ outputFiles }) => outputFiles),
    ...some.map(({ id }) => noticesIn(all, id)),
    ...some
      .filter(initialises)
      .map(({ id }) => ({ path: join(bundleFolder(id), INIT_FILE), contents: Buffer.from(INIT) })),
  ];
  const others = functions.filter((one) => !some.includes(one)).map(({ id }) => bundleFolder(id));
  try {
    await makeFolder(DIST);
    await removeAllBut([...files.map(({ path }) => path), ...others, CLIENT_FOLDER]);
    await Promise.all(files.map(({ path, contents }) => replace(path, contents)));
  } catch (error) {
    throw writeFault(
      error,
      `The folder of the built functions ${DIST}`,
      'Give it to your user, or run the functions as they were built last: npm start -- --no-build',
    );
  }
}

function noticesIn(all: readonly Built[], id: string) {
  const folder = `${relative(ROOT, bundleFolder(id)).replaceAll(sep, '/')}/`;
  const outputs = all.flatMap(({ metafile }) => Object.entries(metafile.outputs));
  const inputs = outputs.flatMap(([path, of]) => (path.startsWith(folder) ? Object.entries(of.inputs) : []));
  const bundled = inputs.flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : []));
  const notices = noticesOf(ROOT, [...bundled, ...(IN_ASSETS[id] ?? [])]);
  return { path: join(bundleFolder(id), NOTICES), contents: Buffer.from(notices) };
}

/** @throws Error if the functions are not built */
export async function requireBundles(): Promise<void> {
  const files = await Promise.all(functions.map(({ id }) => stat(bundleFile(id)).catch(() => undefined)));
  if (files.includes(undefined))
    throw new Error(
      'The functions are not built. Build them: npm run build, or npm start without --no-build',
    );
}

/** Removes what earlier builds have written, except these files and folders, and caches. */
async function removeAllBut(kept: readonly string[]) {
  const isWithin = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);
  const isKept = (path: string) => kept.some((one) => isWithin(path, one) || isWithin(one, path));
  const entries = (await readdir(DIST, { recursive: true })).filter((name) => !name.startsWith('.'));
  const others = entries.map((name) => join(DIST, name)).filter((path) => !isKept(path));
  for (const path of others) await rm(path, { recursive: true, force: true });
}

/** Lambda requires files that everybody may read, and CDK keeps their modes; the umask must not change them. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

async function makeFolder(path: string) {
  await mkdir(path, { recursive: true });
  await chmod(path, FOLDER_MODE);
}

async function replace(path: string, contents: Uint8Array) {
  await makeFolder(dirname(path));
  const before = await readFile(path).catch(() => undefined);
  if (!before?.equals(contents)) {
    // Outside of the folders of functions, which contain their own files only.
    const temporary = `${DIST}${sep}.${relative(DIST, path).replaceAll(sep, '.')}.${process.pid}`;
    await writeFile(temporary, contents);
    await rename(temporary, path);
  }
  await chmod(path, FILE_MODE);
}

if (import.meta.main) {
  const started = performance.now();
  await bundle();
  console.log(`${functions.length} functions in ${Math.round(performance.now() - started)} ms`);
}
