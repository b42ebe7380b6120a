import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildFailure, context, formatMessages } from 'esbuild';
import { type Built, buildOptions, ROOT, writeBundles } from './bundle.ts';

/** Bundles that follow their sources. */
export interface WatchedBundles {
  /** Bundles again where a source has changed; resolves to how many times the bundles have been replaced. */
  refresh(): Promise<number>;
  close(): Promise<void>;
}

/** How often sources are looked at while nobody asks; looking at all of them takes 3 ms. */
const POLL_MS = 500;

/**
 * Bundles every function now, and again when a source changes. Sources that do not build leave the bundles as they
 * are.
 *
 * @param tell people what has been built, or why it cannot be
 */
export async function watchBundles(tell: (text: string) => void): Promise<WatchedBundles> {
  const builder = await context(await buildOptions());
  /** By path: changes with every write. Taken before a build, so that what changes during it is built again. */
  let versions = new Map<string, string>();
  let replaced = 0;

  const build = async () => {
    const built: Built = await builder.rebuild();
    const sources = Object.keys(built.metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
    versions = new Map(
      await Promise.all(
        sources.map(async (path) => [path, versions.get(path) ?? (await versionOf(path))] as const),
      ),
    );
    await writeBundles(built);
  };

  const refresh = async () => {
    const now = await Promise.all(
      [...versions.keys()].map(async (path) => [path, await versionOf(path)] as const),
    );
    if (now.every(([path, version]) => versions.get(path) === version)) return replaced;
    versions = new Map(now);
    try {
      await build();
      replaced += 1;
      tell(`built  ${new Date().toISOString()}`);
    } catch (error) {
      const { errors } = error as BuildFailure;
      if (!errors) throw error;
      tell((await formatMessages(errors, { kind: 'error', color: process.stderr.isTTY })).join('\n'));
    }
    return replaced;
  };

  await build();
  let last = Promise.resolve(replaced);
  // One after the other: who asks while another is at it gets what is built then.
  const inTurn = () => {
    last = last.then(refresh, refresh);
    return last;
  };
  const timer = setInterval(() => inTurn().catch((error: Error) => tell(error.message)), POLL_MS);
  return {
    refresh: inTurn,
    async close() {
      clearInterval(timer);
      await builder.dispose();
    },
  };
}

const versionOf = (path: string) =>
  stat(join(ROOT, path)).then(
    ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
    () => 'absent',
  );
