import { bestEffort } from '../async/best-effort.ts';
import { PATIENT } from '../async/retry.ts';
import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { token_expiring } from '../event/token-events.ts';
import { type Account, generationOf } from '../item/account.ts';
import { DAYS_AHEAD, type Reminder } from '../item/token.ts';
import { log } from '../log/log.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { forEach } from '../table/bulk.ts';
import { assign, expecting } from '../table/expressions.ts';
import { accountKey, dueReminders, type Key, tokenNameKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { getAll, pages } from '../table/read.ts';
import { remove } from '../table/write.ts';
import { DAY_MS } from '../time.ts';
import { announceExpiring } from './jobs.ts';
import { areEndsPublished } from './reminders.ts';

/** Latest start of an event: it takes 20 s if the bus does not answer. */
const LAST_EVENT_MS = JOB_TIMEOUT_SECONDS * 1000 - 25_000;
const PAGE = 50;

type Entry = Reminder & Key<Reminder>;
type Tally = Record<'announced' | 'dropped' | 'left', number>;

/** The owner of a token, which earlier versions named `username`. */
const ownerOf = ({ username = '', token_owner = username }: Reminder) => token_owner;

/**
 * Publishes the event of each due token, including those of earlier runs that failed or ran out of time. It reads the
 * calendar, so its cost depends only on the number of due tokens.
 *
 * @param requestId ID of the run
 * @throws Error if the table cannot be read or written, so that the invocation fails
 */
export async function announceTokens(runtime: Announcing, requestId: string) {
  const { table, now, settings } = runtime;
  const tally: Tally = { announced: 0, dropped: 0, left: 0 };
  if (!areEndsPublished(settings)) return tally;
  const started = now();
  const isLate = () => now() > started + LAST_EVENT_MS;
  // Tokens with older entries have expired.
  for (let day: number = DAYS_AHEAD[0]; day >= 0; day--)
    for await (const page of pages(table, dueReminders(started - day * DAY_MS, started), PAGE)) {
      if (isLate()) {
        tally.left += page.length;
        break;
      }
      // Events of one account follow one another: each has the next number.
      await forEach([...Map.groupBy(page as Entry[], ownerOf).values()], async (own) => {
        for (const entry of own) tally[isLate() ? 'left' : await announceOne(runtime, entry, requestId)]++;
      });
    }
  const message = 'Ends of tokens were announced';
  log('info', { function: announceExpiring.id, requestId, message, ...tally });
  return tally;
}

/**
 * Marks an entry in the transaction that commits its event, so that the event is published once, and removes it. Drops the entry of a
 * token that was deleted or has another end, and leaves that of a token that changes meanwhile to the next run. It repeats the
 * write when another event of the account has taken the number.
 */
async function announceOne(runtime: Announcing, entry: Entry, requestId: string): Promise<keyof Tally> {
  const { table, now } = runtime;
  const { PK, SK, expires_at, of_generation = 0, announced } = entry;
  const owner = ownerOf(entry);
  const keys = [tokenNameKey(owner, entry.name, of_generation), accountKey(owner)] as const;
  const [name, account] = await getAll(table, keys);
  const isHeld = name?.expires_at === expires_at && expires_at > now();
  const isDue = isHeld && account?.isactive && generationOf(account) === of_generation;
  if (!isDue || announced) {
    await remove(table, { PK, SK });
    return 'dropped';
  }
  const occurrence = occurrenceBy(runtime, { by: announceExpiring.id, requestId });
  const announcement = announce(runtime, token_expiring, occurrence, entry);
  return optimistically<Account | undefined, keyof Tally>(
    account,
    async (current) => {
      if (!current) return 'left';
      const { token_generation, transitions } = current;
      if (transitions !== account.transitions || generationOf(current) !== of_generation) return 'left';
      const expected = { token_generation, ...announcement.expected(current) };
      const counting = { Update: { Key: keys[1], ...assign(announcement.counted(current), expected) } };
      const writes = [
        { Update: { Key: { PK, SK }, ...assign({ announced: true }, { PK, announced }) } },
        { ConditionCheck: { Key: keys[0], ...expecting({ expires_at }) } },
        counting,
      ];
      const failed = await commitWithEvents(runtime, writes, announcement.events(current));
      if (failed) return failed.write === counting ? failed : 'left';
      await bestEffort(remove(table, { PK, SK }));
      return 'announced';
    },
    PATIENT.attempts,
  );
}
