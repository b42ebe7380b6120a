import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { leaveOut } from '../../infra/bundle/leave-out.ts';
import { UNREACHABLE, type Unreachable } from '../../infra/bundle/unreachable.ts';
import { ROOT } from '../../infra/bundle.ts';
import { folders } from '../integration/folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'unreachable-'));
folders.push(folder);

/** What `code` exports, bundled as functions are. */
export async function bundled<T>(code: string, all: readonly Unreachable[]): Promise<T> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: ROOT },
    bundle: true,
    // Names of classes are shortened in functions, too.
    minify: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    plugins: [leaveOut(all)],
  });
  const file = join(folder, `${Math.random()}.cjs`);
  writeFileSync(file, outputFiles[0]?.text ?? '');
  return createRequire(import.meta.url)(file) as T;
}

/**
 * These exports of packages, bundled as functions are.
 *
 * @param names by the package
 */
export const bundledExports = <T>(names: Readonly<Record<string, readonly string[]>>): Promise<T> =>
  bundled(
    [
      ...Object.entries(names).map(([from, all]) => `export { ${all.join(', ')} } from '${from}';`),
      // Of the other packages of which something is left out, for that to be met.
      `export { jwtVerify } from 'jose';`,
      `export { FilterXSS } from 'xss';`,
      `export { Parser } from 'marked';`,
    ].join('\n'),
    UNREACHABLE,
  );
