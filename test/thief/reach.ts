import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reach } from '../../infra/reach.ts';

const FILE = join(import.meta.dirname, '../../infra/reach.json');

/** The record of an earlier run, by the titles of its starts. */
export const recorded = (): Record<string, Reach> =>
  JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Reach>;

/** Records starts; the others stay as they are, as far as they still exist. */
export function record(found: Readonly<Record<string, Reach>>, titles: readonly string[]): void {
  const all = { ...recorded(), ...found };
  const kept = titles.filter((title) => title in all).map((title) => [title, all[title]]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(kept), undefined, 1)}\n`);
}

/** The powers of a search as they are recorded: what is held with its shortest sequence, and what can be done about whom. */
export function reachOf(powers: ReadonlyMap<string, readonly string[]>): Reach {
  const has: Record<string, readonly string[]> = {};
  const does: Record<string, string[]> = {};
  for (const [power, trace] of powers) {
    const [contract = '', whom] = power.split(' about ');
    if (whom === undefined) has[power] ??= trace;
    else does[whom] = [...(does[whom] ?? []), contract].sort();
  }
  return { has, does };
}

/** The powers in a record. */
export const powersIn = ({ has, does }: Reach): string[] => [
  ...Object.keys(has),
  ...Object.entries(does).flatMap(([whom, contracts]) =>
    contracts.map((contract) => `${contract} about ${whom}`),
  ),
];
