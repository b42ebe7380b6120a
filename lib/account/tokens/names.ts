import { type Account, generationOf } from '../../item/account.ts';
import { isLive, type TokenName } from '../../item/token.ts';
import { assign, expecting } from '../../table/expressions.ts';
import * as keys from '../../table/keys.ts';
import { get, getAll, query } from '../../table/read.ts';
import type { Table } from '../../table/table.ts';
import type { TransactWrite } from '../../table/write.ts';

/** Owner of token names, and their generation. */
export type NamesOwner = Pick<Account, 'username' | 'names_apart' | 'token_generation'>;

/** Whether no name is in the partition of the account, where earlier versions stored those of the first generation. */
const areApart = (owner: NamesOwner) => owner.names_apart === true || generationOf(owner) > 0;

const keyOf = (owner: NamesOwner, name: string) =>
  keys.tokenNameKey(owner.username, name, generationOf(owner));

/** A name as it is stored, in either place. */
export type HeldName = TokenName & keys.Key<TokenName>;

/** The name in an item; undefined for an item that is empty, as former names are when they are free again. */
export const heldIn = (item: unknown): HeldName | undefined =>
  (item as Partial<HeldName> | undefined)?.sha256 === undefined ? undefined : (item as HeldName);

/** A name, even an expired one, in one round trip. */
export async function readName(table: Table, owner: NamesOwner, name: string) {
  const key = keyOf(owner, name);
  if (areApart(owner)) return heldIn(await get(table, key));
  const [own, former] = await getAll(table, [key, keys.formerTokenNameKey(owner.username, name)]);
  return heldIn(own) ?? heldIn(former);
}

/** All names of an account, even expired ones, in one round trip; strongly consistent. */
export async function readNames(table: Table, owner: NamesOwner) {
  const { username } = owner;
  const [own, former] = await Promise.all([
    query(table, keys.tokenNames(username, generationOf(owner))),
    areApart(owner) ? [] : query(table, keys.formerTokenNames(username)),
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
  owner: NamesOwner,
  name: string,
  token: TokenName,
  held: HeldName | undefined,
  now: number,
): TransactWrite[] {
  const Key = keyOf(owner, name);
  const { sha256, expires_at, ttl, former } = token;
  const to = { sha256, expires_at, ttl, former };
  if (held && !keys.isFormerName(held)) return [{ Update: { Key, ...assign(to, { sha256: held.sha256 }) } }];
  const { ExpressionAttributeValues, ...update } = assign(to, {});
  const Update = {
    Key,
    ...update,
    ConditionExpression: 'attribute_not_exists(#sha256) OR #expires_at <= :now',
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':now': now },
  };
  if (areApart(owner)) return [{ Update }];
  const FormerKey = keys.formerTokenNameKey(owner.username, name);
  const isFree = { ConditionCheck: { Key: FormerKey, ...expecting({ sha256: undefined }) } };
  return [{ Update }, held ? freeName(held, now) : isFree];
}

/**
 * The write that frees a name, on condition that it is held as it was read. The empty item stays until it is removed alone:
 * no transaction with an account deletes, since DynamoDB may judge its actions and items together.
 */
export function freeName({ PK, SK, sha256 }: HeldName, now: number) {
  const Key = { PK, SK };
  const others = keys.isFormerName(Key)
    ? {}
    : { expires_at: undefined, former: undefined, ttl: Math.ceil(now / 1000) };
  return { Update: { Key, ...assign({ sha256: undefined, ...others }, { sha256 }) } } satisfies TransactWrite;
}

/** Whether the token of a name has not expired. */
export const isHeld = (held: HeldName | undefined, now: number): held is HeldName =>
  held !== undefined && isLive(held, now);
