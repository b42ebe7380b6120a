import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { token_expiring } from '../event/token-events.ts';
import { DAYS_AHEAD, type Reminder } from '../item/token.ts';
import { log } from '../log/log.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { forEach } from '../table/bulk.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, dueReminders, type Key, tokenNameKey } from '../table/keys.ts';
import { getAll, pages } from '../table/read.ts';
import { remove } from '../table/write.ts';
import { DAY_MS } from '../time.ts';
import { announceExpiring } from './jobs.ts';
import { areEndsPublished } from './reminders.ts';

/** Latest start of a page: its events take a few seconds, or 20 s if the bus does not answer. */
const LAST_PAGE_MS = JOB_TIMEOUT_SECONDS * 1000 - 25_000;
const PAGE = 50;

type Entry = Reminder & Key<Reminder>;

/**
 * Publishes the event of each due token, including those of earlier runs that failed or ran out of time. It reads the
 * calendar, so its cost depends only on the number of due tokens.
 *
 * @param requestId ID of the run
 * @throws Error if the table cannot be read or written, so that the invocation fails
 */
export async function announceTokens(runtime: Announcing, requestId: string) {
  const { table, now, settings } = runtime;
  const tally = { announced: 0, dropped: 0, left: 0 };
  if (!areEndsPublished(settings)) return tally;
  const started = now();
  // Tokens with older entries have expired.
  for (let day: number = DAYS_AHEAD[0]; day >= 0; day--)
    for await (const page of pages(table, dueReminders(started - day * DAY_MS, started), PAGE)) {
      if (now() > started + LAST_PAGE_MS) {
        tally.left += page.length;
        break;
      }
      await forEach(page as Entry[], async (it) => tally[await announceOne(runtime, it, requestId)]++);
    }
  const message = 'Ends of tokens were announced';
  log('info', { function: announceExpiring.id, requestId, message, ...tally });
  return tally;
}

/**
 * Removes an entry in the transaction that commits its event, so that the event is published once. Drops the entry of a
 * token that was deleted or has another end, and leaves that of a token that changes meanwhile to the next run.
 */
async function announceOne(runtime: Announcing, entry: Entry, requestId: string) {
  const { table, now } = runtime;
  const { PK, SK, username, expires_at } = entry;
  const keys = [tokenNameKey(username, entry.name), accountKey(username)] as const;
  const [name, account] = await getAll(table, keys);
  if (name?.expires_at !== expires_at || expires_at <= now() || !account?.isactive) {
    await remove(table, { PK, SK });
    return 'dropped';
  }
  const occurrence = occurrenceBy(runtime, { by: announceExpiring.id, requestId });
  const announcement = announce(runtime, token_expiring, occurrence, entry);
  const writes = [
    { Delete: { Key: { PK, SK }, ConditionExpression: 'attribute_exists(PK)' } },
    { ConditionCheck: { Key: keys[0], ...expecting({ expires_at }) } },
    { ConditionCheck: { Key: keys[1], ...expecting(announcement.expected(account)) } },
  ];
  return (await commitWithEvents(runtime, writes, announcement.events(account))) ? 'left' : 'announced';
}
