import { JOB_PAGES_MS } from '../contract/contract.ts';
import type { Erasure } from '../item/erasure.ts';
import { log } from '../log/log.ts';
import type { Announcing } from '../outbox/announcement.ts';
import * as keys from '../table/keys.ts';
import { workOff } from '../table/pass.ts';
import { query } from '../table/read.ts';
import { remove } from '../table/write.ts';
import { completeErasures as definition } from './jobs.ts';
import { publishNaming } from './pending.ts';
import { pageOf } from './traces.ts';

type Left = Erasure & keys.Key<Erasure>;

/**
 * Removes what is left of erased accounts, and replaces their names in what belongs to others. It passes through the whole
 * table, for all erasures together, and continues where an earlier run has stopped. Without an erasure it reads nothing.
 *
 * @param requestId ID of the run
 * @returns what is logged: examined and changed items, completed erasures and those that are left
 */
export async function completeErasures(runtime: Announcing, requestId: string) {
  const { table } = runtime;
  const found = await query(table, keys.wholeErasing);
  const all = found.filter((one): one is Left => 'erasing_username' in one);
  if (all.length === 0) return { examined: 0, changed: 0, completed: 0, left: 0 };
  const tally = await workOff(runtime, {
    key: keys.erasurePassKey,
    stored: found.find((one) => 'began_at' in one),
    changes: all,
    timeOf: ({ erased_at }) => Date.parse(erased_at),
    page: pageOf(table, all),
    lastsMs: JOB_PAGES_MS,
    complete: (one) => complete(runtime, one),
  });
  log('info', { function: definition.id, requestId, message: 'Erasures were continued', ...tally });
  return tally;
}

/** Completes an erasure, unless an event that names the account still waits. */
async function complete(runtime: Announcing, one: Left): Promise<boolean> {
  const { erasing_username } = one;
  if (!(await publishNaming(runtime, { erased_id: keys.idOfErasure(one), erasing_username }))) return false;
  await remove(runtime.table, { PK: one.PK, SK: one.SK });
  return true;
}
