import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['functions', 'lib', 'infra', 'test'];

/** The modules of `lib` that all others may import, and each other. */
export const GROUND = ['async failure input instance log network text', 'precise-time.ts texts.ts time.ts']
  .join(' ')
  .split(' ');

/** The modules of `lib`, each above all that it may import. */
export const LIB = (
  'item event table stats contract runtime.ts idempotency pseudonym audit outbox session password team account token auth login ' +
  'passkey export erasure oauth system docs admin-page http handler probe endpoints.ts client routes.ts'
).split(' ');

export interface Import {
  /** A file of the repository as its path, a package as its name. */
  readonly target: string;
  /** Whether only types are imported. */
  readonly typeOnly: boolean;
}

export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** `import ... from '...'`, `export ... from '...'`, also with a name in quotes, `import '...'`, `import('...')` */
const IMPORT =
  /^(?:import|export)\s+(type\s)?(?:\* as '[^']+'|[^;'"]*?)\s?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Every source file of the repository, with its imports. */
export const sources: readonly SourceFile[] = globSync(`{${FOLDERS.join(',')}}/**/*.{ts,tsx}`, {
  cwd: ROOT,
  exclude: ['**/node_modules'],
}).map(read);

function read(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, type, from, bare, dynamic]) => ({
    target: targetOf(path, from ?? bare ?? dynamic ?? ''),
    typeOnly: type !== undefined,
  }));
  return { path, text, imports };
}

function targetOf(importer: string, specifier: string): string {
  if (specifier.startsWith('#')) return `${specifier.slice(1)}.ts`;
  if (specifier.startsWith('.')) return relative(ROOT, join(ROOT, importer, '..', specifier));
  return specifier.startsWith('@') ? specifier.split('/', 2).join('/') : (specifier.split('/')[0] ?? '');
}
