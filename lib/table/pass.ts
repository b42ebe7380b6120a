import type { Pass } from '../item/pass.ts';
import { MINUTE_MS } from '../time.ts';
import { assign } from './expressions.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';
import { remove, update } from './write.ts';

/**
 * Time after a change in which requests that had begun before it, and the collector of audit lines, may still write as if it
 * had not happened: only a pass that begins later can show that nothing is left.
 */
export const SETTLED_MS = 15 * MINUTE_MS;

/** Reads one page after a place, and does what its items need. Without `next` it was the last. */
export type Page = (cursor: Pass['cursor']) => Promise<{
  readonly examined: number;
  readonly changed: number;
  readonly next: Pass['cursor'];
}>;

interface Clocked {
  readonly table: Table;
  readonly now: () => number;
}

/** Changes that each item has to follow. */
interface Work<Change> {
  readonly key: Key<Pass>;
  readonly stored: Pass | undefined;
  /** All that are not complete. */
  readonly changes: readonly Change[];
  /** Time of a change, in milliseconds since the epoch. */
  readonly timeOf: (change: Change) => number;
  readonly page: Page;
  /** Time in which a run begins pages, in milliseconds. */
  readonly lastsMs: number;
  /** Completes a change of which nothing is left. @returns false if it has to wait */
  readonly complete: (change: Change) => Promise<boolean>;
}

/**
 * Continues the pass, or begins one, and completes the changes of which it has shown that nothing is left. A run that is cut
 * off anywhere repeats a page, or a completion.
 *
 * @returns how many items this run has examined and changed, and how many changes are complete and are left
 */
export async function workOff<Change>({ table, now }: Clocked, work: Work<Change>) {
  const { key, changes, timeOf, page, complete } = work;
  const until = now() + work.lastsMs;
  const current = await currentPass(table, work, now());
  const { pass, ...counts } = await continuePass(table, key, current, page, now, until);
  let completed = 0;
  for (const change of changes) if (hasShown(pass, timeOf(change)) && (await complete(change))) completed++;
  const left = changes.length - completed;
  // After the completions: a run that is cut off between them repeats the last page.
  if (left === 0) await remove(table, key);
  else if (pass !== current && pass.ended_at !== undefined) await storePass(table, key, pass);
  return { ...counts, completed, left };
}

/** The stored pass, or a new one for a change that none has been through, or that can be completed now. */
async function currentPass<Change>(
  table: Table,
  { key, stored, changes, timeOf }: Work<Change>,
  began_at: number,
): Promise<Pass> {
  const isDue = (before: Pass) =>
    changes.some((one) => began_at - timeOf(one) >= SETTLED_MS || before.began_at < timeOf(one));
  if (stored && (stored.ended_at === undefined || !isDue(stored))) return stored;
  await storePass(table, key, { began_at });
  return { began_at };
}

/** Whether a pass has shown that nothing is left of a change: it has ended, and began when the change was settled. */
const hasShown = ({ began_at, ended_at }: Pass, time: number) =>
  ended_at !== undefined && began_at - time >= SETTLED_MS;

/**
 * Continues a pass, one page after the other. Its place is stored after each page but the last: the caller stores the end,
 * after what follows from it.
 *
 * @param until latest start of a page but the first, in milliseconds since the epoch
 * @returns the pass as it is then, and how many items this run has examined and changed
 */
async function continuePass(
  table: Table,
  key: Key<Pass>,
  pass: Pass,
  page: Page,
  now: () => number,
  until: number,
) {
  const run = { pass, examined: 0, changed: 0 };
  if (pass.ended_at !== undefined) return run;
  do {
    const { examined, changed, next } = await page(run.pass.cursor);
    run.examined += examined;
    run.changed += changed;
    run.pass = { began_at: pass.began_at, cursor: next, ...(next ? {} : { ended_at: now() }) };
    if (next) await storePass(table, key, run.pass);
  } while (run.pass.cursor && now() <= until);
  return run;
}

const storePass = (table: Table, key: Key<Pass>, { began_at, cursor, ended_at }: Pass) =>
  update(table, { Key: { ...key }, ...assign({ began_at, cursor, ended_at }, {}) });
