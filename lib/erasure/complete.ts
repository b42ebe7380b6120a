import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import type { Erasure, ErasurePass } from '../item/erasure.ts';
import { log } from '../log/log.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { forEach } from '../table/bulk.ts';
import { assign } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { query } from '../table/read.ts';
import { scanPage } from '../table/scan.ts';
import type { Table } from '../table/table.ts';
import { remove, update } from '../table/write.ts';
import { MINUTE_MS } from '../time.ts';
import { completeErasures as definition } from './jobs.ts';
import { publishNaming } from './pending.ts';
import { carryOut, tracesOf } from './traces.ts';

/**
 * Time after an erasure in which requests that had begun before it, and the collector of audit lines, may still write: only a
 * pass that begins later can show that nothing is left.
 */
export const SETTLED_MS = 15 * MINUTE_MS;

/** Latest start of a page of a pass; the effects of one take seconds. */
const LAST_PAGE_MS = JOB_TIMEOUT_SECONDS * 1000 - 25_000;

type Left = Erasure & keys.Key<Erasure>;

const ageOf = ({ erased_at }: Left, now: number) => now - Date.parse(erased_at);

/**
 * Removes what is left of erased accounts, and replaces their names in what belongs to others. It passes through the whole
 * table, for all erasures together, and continues where an earlier run has stopped. Without an erasure it reads nothing.
 *
 * @param requestId ID of the run
 * @returns what is logged: examined and changed items, completed erasures and those that are left
 */
export async function completeErasures(runtime: Announcing, requestId: string) {
  const { table, now } = runtime;
  const until = now() + LAST_PAGE_MS;
  const found = await query(table, keys.wholeErasing);
  const all = found.filter((one): one is Left => 'erasing_username' in one);
  const tally = { examined: 0, changed: 0, completed: 0, left: all.length };
  if (all.length === 0) return tally;
  let pass: ErasurePass | undefined = found.find((one) => 'began_at' in one);
  if (isNextDue(pass, all, now())) {
    pass = { began_at: now() };
    await storePass(table, pass);
  }
  if (pass && pass.ended_at === undefined) {
    const { began_at } = pass;
    let { cursor } = pass;
    const effectOn = tracesOf(all);
    do {
      const { items, next } = await scanPage(table, cursor);
      const changes = items.flatMap((item) => {
        const effect = effectOn(item);
        return effect === 'none' ? [] : [{ item, effect }];
      });
      await forEach(changes, ({ item, effect }) => carryOut(table, item, effect));
      tally.examined += items.length;
      tally.changed += changes.length;
      cursor = next;
      pass = { began_at, cursor, ...(next ? {} : { ended_at: now() }) };
      if (next) await storePass(table, pass);
    } while (cursor && now() <= until);
  }
  if (pass?.ended_at !== undefined) {
    for (const one of all)
      if (ageOf(one, pass.began_at) >= SETTLED_MS && (await isForgotten(runtime, one))) tally.completed++;
    tally.left -= tally.completed;
    // After the completions: a run that is cut off between them repeats the last page.
    if (tally.left === 0) await remove(table, keys.erasurePassKey);
    else if (tally.examined > 0) await storePass(table, pass);
  }
  log('info', { function: definition.id, requestId, message: 'Erasures were continued', ...tally });
  return tally;
}

/** Whether a pass begins: for an erasure that none has been through, or that can be completed now. */
const isNextDue = (pass: ErasurePass | undefined, all: readonly Left[], now: number) =>
  pass === undefined ||
  (pass.ended_at !== undefined &&
    all.some((one) => ageOf(one, now) >= SETTLED_MS || ageOf(one, pass.began_at) < 0));

const storePass = (table: Table, { began_at, cursor, ended_at }: ErasurePass) =>
  update(table, { Key: { ...keys.erasurePassKey }, ...assign({ began_at, cursor, ended_at }, {}) });

/** Completes an erasure, unless an event that names the account still waits. */
async function isForgotten(runtime: Announcing, one: Left): Promise<boolean> {
  const { erasing_username } = one;
  if (!(await publishNaming(runtime, { erased_id: keys.idOfErasure(one), erasing_username }))) return false;
  await remove(runtime.table, { PK: one.PK, SK: one.SK });
  return true;
}
