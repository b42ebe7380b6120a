import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');

/** A change of a source, as it is loaded: the file itself stays as it is. */
export interface Fault {
  /** Relative to the repository. */
  readonly file: string;
  /** A text that the file has once. */
  readonly find: string;
  readonly replace: string;
}

/** Checks that each fault can be planted. @throws Error if a text is not there once */
export function checkFaults(faults: readonly Fault[]): void {
  for (const { file, find } of faults) {
    const count = readFileSync(join(ROOT, file), 'utf8').split(find).length - 1;
    if (count !== 1) throw new Error(`${file} has this text ${count} times, not once: ${find}`);
  }
}

/** Plants faults into this process. Call it before the sources are loaded. @throws Error if a text is not there once */
export function plant(faults: readonly Fault[]): void {
  const byUrl = Map.groupBy(faults, ({ file }) => pathToFileURL(join(ROOT, file)).href);
  checkFaults(faults);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const planted = byUrl.get(url.replace(/\?.*/, ''));
      if (!planted) return loaded;
      const source = planted.reduce(
        (text, { find, replace }) => text.replace(find, () => replace),
        String(loaded.source),
      );
      return { ...loaded, source };
    },
  });
}
