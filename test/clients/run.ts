import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { startInstance } from '../integration/instance-process.ts';
import { DOCUMENT, LINTERS, MODULES, problemsOf, TOOLS } from './linters.ts';

/** Lints the OpenAPI document, generates clients of it, compiles them, and has them call a local instance. */
const folder = await mkdtemp(join(tmpdir(), 'core-account-clients-'));
const PASSWORD = 'correct horse battery staple';
const CONSUMERS = ['openapi-fetch', 'hey-api'] as const;

/** @throws Error with all that the program has printed, unless it succeeds */
function run(program: string, args: readonly string[], env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}\n${stdout}${stderr}`);
}

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['node'],
    typeRoots: [join(MODULES, '../../../node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  files: CONSUMERS.map((name) => `${name}.ts`),
};

async function generate() {
  const document = join(folder, 'openapi.json');
  await writeFile(document, DOCUMENT);
  await symlink(MODULES, join(folder, 'node_modules'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const name of CONSUMERS)
    await copyFile(join(import.meta.dirname, `consumers/${name}.ts`), join(folder, `${name}.ts`));
  run(TOOLS.openapiTypescript, [document, '--output', join(folder, 'schema.ts')]);
  run(TOOLS.heyApi, ['--input', document, '--output', join(folder, 'hey-api'), '--silent']);
  run(TOOLS.tsc, ['--project', folder]);
}

async function callAll() {
  const data = join(folder, 'data');
  const env = { ADMIN_PASSWORD: PASSWORD, Settings__BcryptCost: '10' };
  const { ready, stop } = await startInstance({ data, args: ['--memory'], build: true, env });
  try {
    for (const name of CONSUMERS) {
      const outfile = join(folder, `${name}.mjs`);
      await build({
        entryPoints: [join(folder, `${name}.ts`)],
        bundle: true,
        platform: 'node',
        format: 'esm',
        outfile,
      });
      run(outfile, [], { BASE_URL: ready.url, PASSWORD });
      console.log(`${name}: logged in, listed, made a token, met typed errors`);
    }
  } finally {
    await stop();
  }
}

try {
  for (const name of LINTERS) {
    const problems = problemsOf(name);
    if (problems) throw new Error(problems);
    console.log(`${name}: 0 problems`);
  }
  await generate();
  await callAll();
} finally {
  await rm(folder, { recursive: true, force: true });
}
