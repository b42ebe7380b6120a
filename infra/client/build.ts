import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import project from '../../package.json' with { type: 'json' };
import { CLIENT_FOLDER, ROOT } from '../bundle.ts';
import { methodDeclarations } from './declarations.ts';

const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: ['lib/client/index.ts'],
  outfile: join(CLIENT_FOLDER, 'index.js'),
  bundle: true,
  minify: true,
  // For stack traces and errors that are printed.
  keepNames: true,
  sourcemap: true,
  format: 'esm',
  platform: 'neutral',
  // Browsers since 2023, because of AbortSignal.any, the newest function in use; Node 20.
  target: 'es2022',
  legalComments: 'none',
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

/** The client as one module without imports, for browsers, Node 20 and Lambda. */
export const bundleClient = () => build(OPTIONS);

/** Modules whose declarations the compiler emits; those of `methods` are generated from the contracts. */
const EMITTED = ['client', 'error', 'index', 'listing', 'options', 'types'];

/** A package of its own: the project would bring the dependencies of the service. */
const PACKAGE = {
  name: 'core-account-client',
  version: project.version,
  description: 'Client of core-account: accounts, API tokens and sessions',
  license: project.license,
  type: 'module',
  engines: { node: '>=20.3' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  sideEffects: false,
};

/** Writes the package `core-account-client`, which has no dependencies. */
export async function buildClient(): Promise<void> {
  const [{ outputFiles }, declarations] = await Promise.all([bundleClient(), emitted()]);
  declarations.set('methods', methodDeclarations());
  await rm(CLIENT_FOLDER, { recursive: true, force: true });
  await mkdir(CLIENT_FOLDER, { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  for (const [name, text] of declarations) await writeFile(join(CLIENT_FOLDER, `${name}.d.ts`), text);
  await writeFile(join(CLIENT_FOLDER, 'package.json'), `${JSON.stringify(PACKAGE, null, 2)}\n`);
  for (const page of ['LICENSE', 'lib/client/README.md'])
    await copyFile(join(ROOT, page), join(CLIENT_FOLDER, basename(page)));
}

/** The emitted declarations, by the name of the module. */
async function emitted(): Promise<Map<string, string>> {
  await mkdir(dirname(CLIENT_FOLDER), { recursive: true });
  const folder = await mkdtemp(join(dirname(CLIENT_FOLDER), '.client-'));
  try {
    const project = join(folder, 'tsconfig.json');
    const emit = { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: ROOT, outDir: '.' };
    const files = [join(ROOT, 'lib/client/index.ts')];
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: emit, files, include: [] };
    await writeFile(project, JSON.stringify(config));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '--project', project]);
    const texts = await Promise.all(
      [...EMITTED.map((name) => `client/${name}`), 'failure/codes'].map(async (name) => {
        const text = await readFile(join(folder, `lib/${name}.d.ts`), 'utf8');
        const relative = text
          .replaceAll("'../failure/codes.ts'", "'./codes.ts'")
          .replaceAll(".ts';", ".js';");
        return [basename(name), relative] as const;
      }),
    );
    return new Map(texts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await buildClient();
