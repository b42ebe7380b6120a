import type { Erasure } from '../item/erasure.ts';
import { DAYS_AHEAD } from '../item/token.ts';
import { forEach } from '../table/bulk.ts';
import * as keys from '../table/keys.ts';
import { query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { remove } from '../table/write.ts';
import { DAY_MS } from '../time.ts';

/** Kinds of items that have a partition for each account. */
const KINDS: readonly keys.OwnKind[] = ['SESSION', 'ENDED', 'ACCOUNT', 'MADE'];

/** Removes what belongs to an erased account and has a known key. The job finds the rest, also after an interruption. */
export async function removeOwn(table: Table, erasure: Erasure): Promise<void> {
  const { erasing_username: username, erasing_generation, erasing_passkeys, erasing_cancellation } = erasure;
  const { erasing_trusts = [] } = erasure;
  const [names, attempts, ...others] = await Promise.all([
    query(table, keys.tokenNames(username, erasing_generation)),
    query(table, keys.attemptsOn(username)),
    ...KINDS.map((kind) => query(table, keys.itemsOf(kind, username))),
  ]);
  const tokens = names.flatMap(({ sha256, former }) =>
    [sha256, former?.sha256].filter((it) => it !== undefined),
  );
  const reminders = (names as ((typeof names)[number] & keys.Key<never>)[]).flatMap((name) =>
    DAYS_AHEAD.flatMap((days) =>
      name.expires_at === undefined
        ? []
        : [keys.reminderKey(name.expires_at - days * DAY_MS, username, keys.nameOfToken(name))],
    ),
  );
  await removeAll(table, [
    keys.passwordKey(username),
    keys.codeKey(username),
    ...erasing_passkeys.map(keys.passkeyKey),
    ...erasing_trusts.map((name) => keys.trustKey(username, name)),
    ...tokens.map(keys.tokenKey),
    ...reminders,
    ...(erasing_cancellation === undefined ? [] : [keys.cancellationKey(username, erasing_cancellation)]),
    ...others.flat().filter((key) => !keys.isAccount(key)),
    ...attempts.filter((key) => !keys.isOfAddress(key)),
  ]);
  // They find the tokens, so they come last.
  await removeAll(table, names as unknown as keys.Key[]);
}

const removeAll = (table: Table, all: readonly keys.Key[]) =>
  forEach(all, ({ PK, SK }) => remove(table, { PK, SK }));
