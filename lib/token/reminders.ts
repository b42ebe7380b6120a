import type { Settings } from '../instance/settings.ts';
import { DAYS_AHEAD, type TokenItem } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { assign } from '../table/expressions.ts';
import { reminderKey } from '../table/keys.ts';
import type { TransactWrite } from '../table/write.ts';
import { DAY_MS } from '../time.ts';

/** Whether the instance publishes `token_expiring`. */
export const areEndsPublished = ({ Events }: Settings) => Events.includes('token_expiring');

/** Entries of the calendar for a new token, one for each day that is still ahead; none if the event is not published. */
export const remindersOf = (
  { settings, now }: Runtime,
  { username, name, of_generation, expires_at, ttl }: TokenItem,
): TransactWrite[] =>
  (expires_at !== undefined && areEndsPublished(settings) ? DAYS_AHEAD : []).flatMap((days) => {
    const end = Number(expires_at);
    const entry = {
      token_owner: username,
      name,
      expires_at: end,
      days,
      ttl,
      of_generation,
      announced: undefined,
    };
    const due = end - days * DAY_MS;
    // An earlier token of the name may have had the same end.
    return due > now() ? [{ Update: { Key: reminderKey(due, username, name), ...assign(entry, {}) } }] : [];
  });
