import type { Account } from '../../item/account.ts';
import { isLive, type TokenName } from '../../item/token.ts';
import { assign, expecting } from '../../table/expressions.ts';
import * as keys from '../../table/keys.ts';
import { get, getAll, query } from '../../table/read.ts';
import type { Table } from '../../table/table.ts';
import type { TransactWrite } from '../../table/write.ts';

/** Owner of token names; earlier versions stored names in the partition of the account. */
export type NamesOwner = Pick<Account, 'username' | 'names_apart'>;

/** A name as it is stored, in either place. */
export type HeldName = TokenName & keys.Key<TokenName>;

/** The name in an item; undefined for an item that is empty, as former names are when they are free again. */
export const heldIn = (item: unknown): HeldName | undefined =>
  (item as Partial<HeldName> | undefined)?.sha256 === undefined ? undefined : (item as HeldName);

/** A name, even an expired one, in one round trip. */
export async function readName(table: Table, { username, names_apart }: NamesOwner, name: string) {
  const key = keys.tokenNameKey(username, name);
  if (names_apart) return heldIn(await get(table, key));
  const [own, former] = await getAll(table, [key, keys.formerTokenNameKey(username, name)]);
  return heldIn(own) ?? heldIn(former);
}

/** All names of an account, even expired ones, in one round trip; strongly consistent. */
export async function readNames(table: Table, { username, names_apart }: NamesOwner) {
  const [own, former] = await Promise.all([
    query(table, keys.tokenNames(username)),
    names_apart ? [] : query(table, keys.formerTokenNames(username)),
  ]);
  const names = [...own, ...former].flatMap((item) => heldIn(item) ?? []);
  return former.length === 0 ? names : names.sort((one, other) => (one.SK < other.SK ? -1 : 1));
}

/**
 * Writes that give a name to a new token. They fail unless the name is held as it was read, or is free.
 *
 * @param held undefined if the name must be free; a name is free when its token has expired
 */
export function giveName(
  { username, names_apart }: NamesOwner,
  name: string,
  token: TokenName,
  held: HeldName | undefined,
  now: number,
): TransactWrite[] {
  const Item = { ...keys.tokenNameKey(username, name), ...token };
  if (held && !keys.isFormerName(held)) return [{ Put: { Item, ...expecting({ sha256: held.sha256 }) } }];
  const Put = {
    Item,
    ConditionExpression: 'attribute_not_exists(PK) OR expires_at <= :now',
    ExpressionAttributeValues: { ':now': now },
  };
  if (names_apart) return [{ Put }];
  const Key = keys.formerTokenNameKey(username, name);
  return [{ Put }, held ? freeName(held) : { ConditionCheck: { Key, ...expecting({ sha256: undefined }) } }];
}

/** The write that frees a name, on condition that it is held as it was read. */
export function freeName({ PK, SK, sha256 }: HeldName): TransactWrite {
  const Key = { PK, SK };
  // No function may delete items in the partition of an account.
  return keys.isFormerName(Key)
    ? { Update: { Key, ...assign({ sha256: undefined }, { sha256 }) } }
    : { Delete: { Key, ...expecting({ sha256 }) } };
}

/** Whether the token of a name has not expired. */
export const isHeld = (held: HeldName | undefined, now: number): held is HeldName =>
  held !== undefined && isLive(held, now);
