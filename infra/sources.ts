import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

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

/** Reads every source file of the repository, with its imports. */
export const readSources = (): readonly SourceFile[] =>
  globSync('{functions,lib,infra,test}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/node_modules'] })
    .sort()
    .map(read);

function read(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, type, from, bare, dynamic]) => ({
    target: targetOf(path, from ?? bare ?? dynamic ?? ''),
    typeOnly: type !== undefined,
  }));
  return { path, text, imports };
}

function targetOf(importer: string, specifier: string): string {
  // Catalogues of the administrator's page: those of all languages have the same parts.
  if (specifier.startsWith('#texts/')) return `infra/admin-page/texts/en/${specifier.slice(7)}.ts`;
  if (specifier.startsWith('#')) return `${specifier.slice(1)}.ts`;
  if (specifier.startsWith('.')) return relative(ROOT, join(ROOT, importer, '..', specifier));
  return specifier.startsWith('@') ? specifier.split('/', 2).join('/') : (specifier.split('/')[0] ?? '');
}
