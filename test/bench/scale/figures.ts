import { rmSync } from 'node:fs';
import { readJson, writeJson } from '../../../infra/local/machine/durable-file.ts';

/** Figures that were measured before a run was cut off: the next run measures the others. */
export function openFigures(file: string) {
  const known = readJson<Record<string, unknown>>(file) ?? {};
  return {
    /** The figure of this name, which is measured unless it is known. */
    async of<T>(name: string, measure: () => Promise<T>): Promise<T> {
      if (!(name in known)) {
        known[name] = await measure();
        writeJson(file, known);
      }
      return known[name] as T;
    },
    /** All are told, so the next run measures anew. */
    remove: () => rmSync(file, { force: true }),
  };
}
