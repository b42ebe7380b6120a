import { imports } from '#texts/imports';
import { faultText } from '../faults.ts';
import { type ImportFault, KINDS } from './fault-kinds.ts';

/** What is wrong with a file or with a value in it, in the language of the page. */
export function importFault(message: string): string {
  for (const [kind, form] of Object.entries(KINDS) as [ImportFault, RegExp][]) {
    const [found, ...groups] = form.exec(message) ?? [];
    if (found !== undefined) return imports.faults[kind](...(groups as [string, string, string]));
  }
  return faultText(message);
}
