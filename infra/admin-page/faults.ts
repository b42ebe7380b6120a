import { faults } from '#texts/faults';
import { type FaultKind, KINDS } from './fault-kinds.ts';

/** What a message of the service says, in the language of the page and without a period; undefined if it is not known. */
export function knownFault(message: string): string | undefined {
  for (const [kind, form] of Object.entries(KINDS) as [FaultKind, RegExp][]) {
    const [found, ...groups] = form.exec(message) ?? [];
    if (found !== undefined) return faults.of[kind](...(groups as [string, string]));
  }
  return undefined;
}

/** What a message of the service says, or that it is not accepted. */
export const faultText = (message: string) => knownFault(message) ?? faults.other(message);

/** The name of a field that people know; undefined for others. */
export function fieldName(path: string): string | undefined {
  const name = path
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .at(-1);
  return name !== undefined && Object.hasOwn(faults.fields, name) ? faults.fields[name] : undefined;
}
