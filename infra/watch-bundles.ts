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
  let sources: readonly string[] = [];
  /** Of the latest change before a build, so that a change during it is built again. */
  let changedAt = Date.now();
  let replaced = 0;

  const build = async () => {
    const built: Built = await builder.rebuild();
    sources = Object.keys(built.metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
    await writeBundles(built);
  };

  const refresh = async () => {
    const latest = await latestChangeOf(sources);
    if (latest <= changedAt) return replaced;
    changedAt = latest;
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

/** Also a copy or a move changes the `ctime` of its target. A file that is gone is found by the change of its importer. */
async function latestChangeOf(paths: readonly string[]): Promise<number> {
  const found = await Promise.all(paths.map((path) => stat(join(ROOT, path)).catch(() => undefined)));
  return Math.max(0, ...found.map((file) => file?.ctimeMs ?? 0));
}
