import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Plugin, PluginBuild } from 'esbuild';
import { UNREACHABLE } from './unreachable.ts';

/**
 * Replaces the {@link UNREACHABLE} modules by stubs: calling an export, or using an instance of an exported class, throws
 * its name. Warns of entries that no bundle imports. Of their `package.json`, clients of AWS read the version only, for the
 * user agent.
 */
export const leaveOut: Plugin = {
  name: 'leave-out',
  setup(build) {
    const modules = Object.keys(UNREACHABLE);
    const met = new Set<string>();
    build.onStart(() => met.clear());
    const pattern = modules.map(RegExp.escape).join('|').replaceAll('\\/', '[\\\\/]');
    const filter = new RegExp(`node_modules[\\\\/](${pattern})$`);
    build.onLoad({ filter }, async ({ path }) => {
      const name = path.split(sep).join('/');
      const module = modules.find((entry) => name.endsWith(`/node_modules/${entry}`)) as string;
      met.add(module);
      return { contents: stub(module, await exportsOf(build, path)), loader: 'js' };
    });
    build.onLoad({ filter: /@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    // A dynamic import of a large module would keep all its dependencies from being hoisted and shaken.
    build.onResolve({ filter: /^[^.]/ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import' || !modules.includes(path)) return undefined;
      met.add(path);
      return { path, namespace: 'unreachable' };
    });
    build.onLoad({ filter: /.*/, namespace: 'unreachable' }, ({ path }) => ({
      contents: `throw new Error('${path} is not in this bundle');`,
    }));
    build.onEnd(() => ({
      warnings: modules
        .filter((module) => !met.has(module))
        .map((module) => ({
          text: `${module} is listed in infra/bundle/unreachable.ts, but no bundle imports it`,
          notes: [{ text: 'Remove the entry, or name the new path of the module to keep bundles small' }],
        })),
    }));
  },
};

/** The names that an ES module exports. */
async function exportsOf({ esbuild }: PluginBuild, path: string): Promise<readonly string[]> {
  const options = { write: false, outdir: '.', metafile: true, logLevel: 'silent' } as const;
  const { metafile } = await esbuild.build({ entryPoints: [path], ...options });
  return Object.values(metafile.outputs)[0]?.exports ?? [];
}

const STUB = JSON.stringify(join(import.meta.dirname, 'unreachable-export.ts'));

function stub(module: string, names: readonly string[]): string {
  const exported = names.map((name) => {
    const isDefault = name === 'default';
    const value = `/* @__PURE__ */ unreachable('${isDefault ? module : name}')`;
    return isDefault ? `export default ${value};` : `export const ${name} = ${value};`;
  });
  return [`import { unreachable } from ${STUB};`, ...exported].join('\n');
}
