import { bestEffort } from '../async/best-effort.ts';
import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { token_expiring } from '../event/token-events.ts';
import { generationOf } from '../item/account.ts';
import { DAYS_AHEAD, type Reminder } from '../item/token.ts';
import { log } from '../log/log.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { forEach } from '../table/bulk.ts';
import { assign, expecting } from '../table/expressions.ts';
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
 * Marks an entry in the transaction that commits its event, so that the event is published once, and removes it. Drops the entry of a
 * token that was deleted or has another end, and leaves that of a token that changes meanwhile to the next run.
 */
async function announceOne(runtime: Announcing, entry: Entry, requestId: string) {
  const { table, now } = runtime;
  const { PK, SK, username = '', token_owner = username, expires_at, of_generation = 0, announced } = entry;
  const keys = [tokenNameKey(token_owner, entry.name, of_generation), accountKey(token_owner)] as const;
  const [name, account] = await getAll(table, keys);
  const isHeld = name?.expires_at === expires_at && expires_at > now();
  const isDue = isHeld && account?.isactive && generationOf(account) === of_generation;
  if (!isDue || announced) {
    await remove(table, { PK, SK });
    return 'dropped';
  }
  const occurrence = occurrenceBy(runtime, { by: announceExpiring.id, requestId });
  const announcement = announce(runtime, token_expiring, occurrence, entry);
  const { token_generation } = account;
  const writes = [
    { Update: { Key: { PK, SK }, ...assign({ announced: true }, { PK, announced }) } },
    { ConditionCheck: { Key: keys[0], ...expecting({ expires_at }) } },
    {
      ConditionCheck: {
        Key: keys[1],
        ...expecting({ token_generation, ...announcement.expected(account) }),
      },
    },
  ];
  if (await commitWithEvents(runtime, writes, announcement.events(account))) return 'left';
  await bestEffort(remove(table, { PK, SK }));
  return 'announced';
}
