import type { Settings } from '../instance/settings.ts';
import { DAYS_AHEAD, type Reminder, type TokenItem } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { reminderKey } from '../table/keys.ts';
import type { TransactWrite } from '../table/write.ts';
import { DAY_MS } from '../time.ts';

/** Whether the instance publishes `token_expiring`. */
export const areEndsPublished = ({ Events }: Settings) => Events.includes('token_expiring');

/** Entries of the calendar for a new token, one for each day that is still ahead; none if the event is not published. */
export const remindersOf = (
  { settings, now }: Runtime,
  { username, name, expires_at, ttl }: Pick<TokenItem, 'username' | 'name' | 'expires_at' | 'ttl'>,
): TransactWrite[] =>
  (expires_at !== undefined && areEndsPublished(settings) ? DAYS_AHEAD : []).flatMap((days) => {
    const reminder = { username, name, expires_at: Number(expires_at), days, ttl } satisfies Reminder;
    const due = reminder.expires_at - days * DAY_MS;
    return due > now() ? [{ Put: { Item: { ...reminderKey(due, username, name), ...reminder } } }] : [];
  });
