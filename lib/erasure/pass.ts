import type { Erasure, ErasurePass } from '../item/erasure.ts';
import type { Runtime } from '../runtime.ts';
import { forEach } from '../table/bulk.ts';
import { assign } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { scanPage } from '../table/scan.ts';
import type { Table } from '../table/table.ts';
import { update } from '../table/write.ts';
import { carryOut, tracesOf } from './traces.ts';

/**
 * Continues a pass through the whole table, one page after the other. Its place is stored after each page but the last: the
 * caller stores the end.
 *
 * @param until latest start of a page but the first, in milliseconds since the epoch
 * @returns the pass as it is then, and how many items this run has examined and changed
 */
export async function continuePass(
  { table, now }: Runtime,
  pass: ErasurePass,
  erasures: readonly (Erasure & keys.Key<Erasure>)[],
  until: number,
) {
  const run = { pass, examined: 0, changed: 0 };
  if (pass.ended_at !== undefined) return run;
  const effectOn = tracesOf(erasures);
  do {
    const { items, next } = await scanPage(table, run.pass.cursor);
    const changes = items
      .map((item) => ({ item, effect: effectOn(item) }))
      .filter(({ effect }) => effect !== 'none');
    await forEach(changes, ({ item, effect }) => carryOut(table, item, effect));
    run.examined += items.length;
    run.changed += changes.length;
    run.pass = { began_at: pass.began_at, cursor: next, ...(next ? {} : { ended_at: now() }) };
    if (next) await storePass(table, run.pass);
  } while (run.pass.cursor && now() <= until);
  return run;
}

export const storePass = (table: Table, { began_at, cursor, ended_at }: ErasurePass) =>
  update(table, { Key: { ...keys.erasurePassKey }, ...assign({ began_at, cursor, ended_at }, {}) });
