import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildFailure, formatMessages } from 'esbuild';
import type { Contract, Job } from '#lib/contract/contract';
import { functions, sourceOf } from '#lib/routes';
import { WATCHED } from './bundle/admin-page.ts';
import { type Built, bundle, bundleOnly, ROOT } from './bundle.ts';

/** Bundles that follow their sources. */
export interface WatchedBundles {
  /** Rebuilds if a source has changed; resolves to how many times the bundles have been replaced. */
  refresh(): Promise<number>;
  close(): void;
}

/** Interval of checks between requests. */
const POLL_MS = 500;

/**
 * Bundles every function now, and after each change of a source those that contain it. Sources that do not build leave the
 * bundles as they are.
 *
 * @param tell receives a text for people: when bundles were built, or why they cannot be
 */
export async function watchBundles(tell: (text: string) => void): Promise<WatchedBundles> {
  /** Time of the latest change before a build, so that a change during it is built again. */
  let changedAt = Date.now();
  let replaced = 0;
  const sources = new Map<Contract | Job, ReadonlySet<string>>();
  const note = (built: Iterable<Contract | Job>, { metafile: { inputs } }: Built) => {
    for (const one of built) sources.set(one, importedBy(sourceOf(one), inputs));
  };
  /** Functions of which a source has changed since they were built. */
  const due = new Set<Contract | Job>();

  const refresh = async () => {
    const all = [...new Set([...sources.values()].flatMap((paths) => [...paths]))];
    const times = await Promise.all(all.map(changeOf));
    const changed = all.filter((_, n) => (times[n] as number) > changedAt);
    if (changed.length === 0) return replaced;
    changedAt = Math.max(...times);
    for (const [one, paths] of sources) if (changed.some((path) => paths.has(path))) due.add(one);
    try {
      note(due, await bundleOnly([...due], true));
      due.clear();
      replaced += 1;
      tell(`built  ${new Date().toISOString()}`);
    } catch (error) {
      const { errors } = error as BuildFailure;
      if (!errors) throw error;
      tell((await formatMessages(errors, { kind: 'error', color: process.stderr.isTTY })).join('\n'));
      tell('not built: the functions of the last build keep answering');
    }
    return replaced;
  };

  note(functions, await bundle(true));
  let last = Promise.resolve(replaced);
  // One at a time: a call during another one gets the bundles of its own check.
  const inTurn = () => {
    last = last.then(refresh, refresh);
    return last;
  };
  const timer = setInterval(() => inTurn().catch((error: Error) => tell(error.message)), POLL_MS);
  return { refresh: inTurn, close: () => clearInterval(timer) };
}

/** A source with those that it imports, and that they import, except those of packages. */
function importedBy(
  source: string,
  inputs: Built['metafile']['inputs'],
  found = new Set<string>(),
): ReadonlySet<string> {
  found.add(source.replace(`${WATCHED}:`, ''));
  for (const { path, external } of inputs[source]?.imports ?? [])
    if (!external && !found.has(path) && !path.startsWith('node_modules/')) importedBy(path, inputs, found);
  return found;
}

/** Also a copy or a move changes the `ctime` of its target. A file that is gone is found by the change of its importer. */
const changeOf = async (path: string): Promise<number> =>
  (await stat(join(ROOT, path)).catch(() => undefined))?.ctimeMs ?? 0;
