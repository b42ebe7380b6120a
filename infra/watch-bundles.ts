import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildFailure, context, formatMessages } from 'esbuild';
import { type Built, buildOptions, ROOT, writeBundles } from './bundle.ts';

/** Bundles that follow their sources. */
export interface WatchedBundles {
  /** Rebuilds if a source has changed; resolves to how many times the bundles have been replaced. */
  refresh(): Promise<number>;
  close(): Promise<void>;
}

/** Interval of checks between requests; a check of all sources takes 3 ms. */
const POLL_MS = 500;

/**
 * Bundles every function now, and again after each change of a source. Sources that do not build leave the bundles as
 * they are.
 *
 * @param tell receives a text for people: when the bundles were built, or why they cannot be
 */
export async function watchBundles(tell: (text: string) => void): Promise<WatchedBundles> {
  const builder = await context(await buildOptions());
  /** By path; read before a build, so that a change during it is built again. */
  let versions: ReadonlyMap<string, string> = new Map();
  let replaced = 0;

  const build = async () => {
    const built: Built = await builder.rebuild();
    const sources = Object.keys(built.metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
    const added = await versionsOf(sources.filter((path) => !versions.has(path)));
    versions = new Map(sources.map((path) => [path, versions.get(path) ?? (added.get(path) as string)]));
    await writeBundles(built);
  };

  const refresh = async () => {
    const now = await versionsOf([...versions.keys()]);
    if ([...now].every(([path, version]) => versions.get(path) === version)) return replaced;
    versions = now;
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
  // One at a time: a call during another one gets the bundles of its own check.
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

/** The version of each file, which changes with every write. */
async function versionsOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const version = async (path: string) => {
    const found = await stat(join(ROOT, path)).catch(() => undefined);
    return [path, found ? `${found.mtimeMs} ${found.size}` : 'absent'] as const;
  };
  return new Map(await Promise.all(paths.map(version)));
}
