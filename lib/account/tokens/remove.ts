import { token_delete } from '../../event/token-events.ts';
import type { Account } from '../../item/account.ts';
import type { Revocation } from '../../item/token.ts';
import { type Announcing, announce } from '../../outbox/announcement.ts';
import { commitWithEvents } from '../../outbox/commit.ts';
import { MAX_ENTRIES } from '../../outbox/publisher.ts';
import { assign } from '../../table/expressions.ts';
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
    let owner = await readAccount(table, username);
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
      const counted = await removeSome(runtime, revocation, owner, some);
      if (!counted) areAllGone = false;
      else if (owner) owner = { ...owner, ...counted };
    }
    // The generation gets no other tokens.
    if (areAllGone) {
      await remove(table, revocationKey(username, token_generation));
      return true;
    }
  }
  return false;
}

/**
 * Removes tokens, whose names come last: they find the items.
 *
 * @returns the attributes of the owner that count the events; undefined if another call was faster
 */
async function removeSome(
  runtime: Announcing,
  revocation: Revocation,
  owner: Account | undefined,
  names: readonly HeldName[],
) {
  const { table, now, uuid } = runtime;
  const { revoked_of: username, revoked_at: at, revoked_by: by, revoked_in: requestId = '' } = revocation;
  await removeTokens(
    table,
    names.flatMap(({ sha256, former }) => [sha256, ...(former ? [former.sha256] : [])]),
  );
  const announcements = names.flatMap((name) => {
    if (by === undefined || !isHeld(name, at)) return [];
    return announce(runtime, token_delete, { id: uuid(), at, by, requestId }, nameOfToken(name));
  });
  const events = owner ? announcements.flatMap((one, index) => one.events(owner, index)) : [];
  const [first] = events.length > 0 ? announcements : [];
  const counted = (owner && first?.counted(owner, events.length)) ?? {};
  const Key = accountKey(username);
  const counting =
    owner && first ? [{ Update: { Key, ...assign(counted, { PK: Key.PK, ...first.expected(owner) }) } }] : [];
  const writes = [...names.map((name) => freeName(name, now())), ...counting];
  if (await commitWithEvents(runtime, writes, events)) return undefined;
  await Promise.all(names.map((name) => removeName(table, name)));
  return counted;
}
