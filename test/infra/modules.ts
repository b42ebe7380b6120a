import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const ROOMS = ['functions', 'lib', 'infra', 'test'];

export interface Import {
  /** A module of the repository as its path, a package as its name. */
  readonly target: string;
  /** Whether it is gone once the types are. */
  readonly typeOnly: boolean;
}

export interface Module {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
}

/** `import ... from '...'`, `export ... from '...'`, `import '...'`, `import('...')` */
const IMPORT =
  /^(?:import|export)\s+(type\s)?[^;'"]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Every module of the repository, with what it imports. */
export const modules: readonly Module[] = globSync(`{${ROOMS.join(',')}}/**/*.{ts,tsx}`, {
  cwd: ROOT,
  exclude: ['**/node_modules'],
}).map(read);

function read(path: string): Module {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, type, from, bare, dynamic]) => ({
    target: targetOf(path, from ?? bare ?? dynamic ?? ''),
    typeOnly: type !== undefined,
  }));
  return { path, text, lines: text.split('\n').length - 1, imports };
}

function targetOf(importer: string, specifier: string): string {
  if (specifier.startsWith('#')) return `${specifier.slice(1)}.ts`;
  if (specifier.startsWith('.')) return relative(ROOT, join(ROOT, importer, '..', specifier));
  return specifier.startsWith('@') ? specifier.split('/', 2).join('/') : (specifier.split('/')[0] ?? '');
}
