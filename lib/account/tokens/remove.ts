import { token_delete } from '../../event/token-events.ts';
import type { Account } from '../../item/account.ts';
import type { Revocation } from '../../item/token.ts';
import { type Announcing, announce } from '../../outbox/announcement.ts';
import { commitWithEvents } from '../../outbox/commit.ts';
import { MAX_ENTRIES } from '../../outbox/publisher.ts';
import { expecting } from '../../table/expressions.ts';
import { accountKey, isFormerName, nameOfToken, revocationKey, tokenKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { remove } from '../../table/write.ts';
import { readAccount } from '../account.ts';
import { freeName, type HeldName, isHeld, readNames } from './names.ts';

/** Removes the items of tokens that have ended, by the hashes of their secrets. */
export const removeTokens = (table: Table, hashes: readonly string[]) =>
  Promise.all(hashes.map((sha256) => remove(table, tokenKey(sha256))));

/** Removes the item of a free name, unless it is held again. No function may delete items in the partition of an account. */
export const removeName = async (table: Table, { PK, SK }: HeldName) =>
  isFormerName({ PK, SK })
    ? undefined
    : remove(table, { PK, SK }, { ConditionExpression: 'attribute_not_exists(sha256)' });

/** Time in which a request removes what it has ended; a job removes the rest. The bus may take 10 s for the last batch. */
export const REQUEST_MS = 3000;

/**
 * Removes the items of a generation of tokens that has ended, each with its event, and then the record of the revocation.
 * After an interruption, another call removes the remaining ones.
 *
 * @param until latest start of a batch, in milliseconds since the epoch
 * @returns false if some are left
 */
export async function removeRevoked(given: Announcing, revocation: Revocation, until: number) {
  // The tokens have ended: what the caller may do decides nothing any more.
  const { guard: _, ...table } = given.table;
  const runtime = { ...given, table };
  const { now } = runtime;
  const { revoked_of: username, revoked_generation: token_generation } = revocation;
  while (now() <= until) {
    const owner = await readAccount(table, username);
    const { names_apart } = owner ?? {};
    const names = await readNames(table, {
      username,
      token_generation,
      ...(names_apart !== undefined && { names_apart }),
    });
    let areAllGone = true;
    for (let start = 0; start < names.length; start += MAX_ENTRIES) {
      if (now() > until) return false;
      const some = names.slice(start, start + MAX_ENTRIES);
      areAllGone = (await removeSome(runtime, revocation, owner, some)) && areAllGone;
    }
    // The generation gets no other tokens.
    if (areAllGone) {
      await remove(table, revocationKey(username, token_generation));
      return true;
    }
  }
  return false;
}

/** Removes tokens, whose names come last: they find the items. @returns false if another call was faster */
async function removeSome(
  runtime: Announcing,
  revocation: Revocation,
  owner: Account | undefined,
  names: readonly HeldName[],
) {
  const { table, now, uuid } = runtime;
  const { revoked_at: at, revoked_by: by, revoked_in: requestId = '' } = revocation;
  await removeTokens(
    table,
    names.flatMap(({ sha256, former }) => [sha256, ...(former ? [former.sha256] : [])]),
  );
  const events = names.flatMap((name) => {
    if (owner === undefined || by === undefined || !isHeld(name, at)) return [];
    const occurrence = { id: uuid(), at, by, requestId };
    const announcement = announce(runtime, token_delete, occurrence, nameOfToken(name));
    return announcement.events(owner).map((event) => ({ event, expected: announcement.expected(owner) }));
  });
  const checks = events.slice(0, 1).map(({ expected }) => {
    const Key = accountKey(revocation.revoked_of);
    return { ConditionCheck: { Key, ...expecting({ PK: Key.PK, ...expected }) } };
  });
  const writes = [...names.map((name) => freeName(name, now())), ...checks];
  const failed = await commitWithEvents(
    runtime,
    writes,
    events.map(({ event }) => event),
  );
  if (failed) return false;
  await Promise.all(names.map((name) => removeName(table, name)));
  return true;
}
