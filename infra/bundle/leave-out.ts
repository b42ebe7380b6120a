import { readFile } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Unreachable } from './unreachable.ts';

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Has modules of packages replaced as {@link Unreachable} says. One that is not met is an error of the build. */
export const leaveOut = (all: readonly Unreachable[]): Plugin => ({
  name: 'leave-out',
  setup(build) {
    const met = new Set<string>();
    build.onStart(() => met.clear());
    const pattern = all.map(({ module }) => literal(module)).join('|');
    const filter = new RegExp(`node_modules/(${pattern})$`.replaceAll('/', '[\\\\/]'));
    build.onLoad({ filter }, async ({ path }) => {
      const name = path.split(sep).join('/');
      const entry = all.find(({ module }) => name.endsWith(`/node_modules/${module}`)) as Unreachable;
      met.add(entry.module);
      return { contents: await codeOf(entry, path), resolveDir: dirname(path), loader: 'js' };
    });
    build.onEnd(({ errors }) => ({
      // What does not build may not have come to it.
      errors: (errors.length > 0 ? [] : all)
        .filter(({ module }) => !met.has(module))
        .map(({ module }) => ({ text: `${module} is to be left out of the bundles, but none has it` })),
    }));
  },
});

async function codeOf({ module, throws = [], code, edit }: Unreachable, path: string): Promise<string> {
  if (edit) return edit(await readFile(path, 'utf8'));
  const thrown = throws.map(
    (name) =>
      `export function ${name}() { throw new Error(${JSON.stringify(`${name} of ${module} is not in this bundle`)}); }`,
  );
  return [...thrown, code ?? ''].join('\n');
}
