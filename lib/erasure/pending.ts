import type { Erased, Erasure } from '../item/erasure.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { pendingEvents, publishPending } from '../outbox/outbox.ts';
import type { TriedEvent } from '../outbox/trials.ts';
import { foldCase } from '../text/fold-case.ts';

/** An erased account, as its events name it. */
export type Named = Pick<Erased, 'erased_id'> & Pick<Erasure, 'erasing_username'>;

/** Whether an event is about an account or names it, as events of others do that it has changed. The last one names nobody. */
const names =
  ({ erased_id, erasing_username }: Named) =>
  ({ detailType, detail }: TriedEvent) => {
    if (detailType === 'user_erase') return false;
    const texts = Object.values(Object(detail) as object).filter((value) => typeof value === 'string');
    return texts.some((text) => text === erased_id || foldCase(text) === foldCase(erasing_username));
  };

/**
 * Publishes the events of the outbox that name an account.
 *
 * @returns false if the bus has not accepted all
 */
export async function publishNaming({ table, publish }: Announcing, named: Named): Promise<boolean> {
  const found = (await pendingEvents(table)).filter(names(named));
  if (found.length === 0) return true;
  await publishPending(table, publish, found);
  // The relay, which publishes the events of commands, removes them itself.
  return !(await pendingEvents(table)).some(names(named));
}
