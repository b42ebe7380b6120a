import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import type { Erasure, ErasurePass } from '../item/erasure.ts';
import { log } from '../log/log.ts';
import type { Announcing } from '../outbox/announcement.ts';
import * as keys from '../table/keys.ts';
import { query } from '../table/read.ts';
import { remove } from '../table/write.ts';
import { MINUTE_MS } from '../time.ts';
import { completeErasures as definition } from './jobs.ts';
import { continuePass, storePass } from './pass.ts';
import { publishNaming } from './pending.ts';

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
  if (all.length === 0) return { examined: 0, changed: 0, completed: 0, left: 0 };
  const stored = found.find((one) => 'began_at' in one);
  const current = await currentPass(runtime, stored, all);
  const { pass, ...counts } = await continuePass(runtime, current, all, until);
  const completed = await completeShown(runtime, pass, all);
  const left = all.length - completed;
  // After the completions: a run that is cut off between them repeats the last page.
  if (left === 0) await remove(table, keys.erasurePassKey);
  else if (pass !== current && pass.ended_at !== undefined) await storePass(table, pass);
  const tally = { ...counts, completed, left };
  log('info', { function: definition.id, requestId, message: 'Erasures were continued', ...tally });
  return tally;
}

/** The stored pass, or a new one for an erasure that none has been through, or that can be completed now. */
async function currentPass(
  { table, now }: Announcing,
  stored: ErasurePass | undefined,
  all: readonly Left[],
) {
  const began_at = now();
  const isDue = (before: ErasurePass) =>
    all.some((one) => ageOf(one, began_at) >= SETTLED_MS || ageOf(one, before.began_at) < 0);
  if (stored && (stored.ended_at === undefined || !isDue(stored))) return stored;
  await storePass(table, { began_at });
  return { began_at };
}

/**
 * Completes the erasures of which a pass has shown that nothing is left: it has ended, and began when they were settled.
 *
 * @returns how many are complete
 */
async function completeShown(runtime: Announcing, { began_at, ended_at }: ErasurePass, all: readonly Left[]) {
  let completed = 0;
  if (ended_at === undefined) return completed;
  for (const one of all)
    if (ageOf(one, began_at) >= SETTLED_MS && (await complete(runtime, one))) completed++;
  return completed;
}

/** Completes an erasure, unless an event that names the account still waits. */
async function complete(runtime: Announcing, one: Left): Promise<boolean> {
  const { erasing_username } = one;
  if (!(await publishNaming(runtime, { erased_id: keys.idOfErasure(one), erasing_username }))) return false;
  await remove(runtime.table, { PK: one.PK, SK: one.SK });
  return true;
}
