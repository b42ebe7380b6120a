import { withEnded } from '../account/ended.ts';
import type { TokenChange } from '../account/tokens/count.ts';
import { type HeldName, heldIn } from '../account/tokens/names.ts';
import type { Account, Ended } from '../item/account.ts';
import type { TokenItem } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { CLOCK_SKEW_SECONDS } from '../session/session-token.ts';
import { assign, expecting } from '../table/expressions.ts';
import { accountKey, PARTITIONS, tokenKey } from '../table/keys.ts';
import type { ConditionFailed, TransactWrite } from '../table/write.ts';
import { secretId } from './secret.ts';

/**
 * The writes that end the present and the former secret of a token, and the attributes of its owner that end their sessions,
 * if any. The first attempt expects a token without sessions; the item of the failed condition contains the end of the
 * sessions, which saves a read.
 *
 * @param until `session_until` of the token, as far as it is known
 * @param end of the secret, in milliseconds since the epoch; by default it ends at once
 */
export function endSecret(
  { now }: Pick<Runtime, 'now'>,
  owner: Account,
  { sha256, former }: HeldName,
  until: TokenItem['session_until'],
  end?: number,
): { readonly writes: TransactWrite[]; readonly ending: TokenChange['ending'] } {
  const time = now();
  const Key = { ...tokenKey(sha256) };
  const ttl = Math.ceil((end ?? 0) / 1000);
  // During an overlap, listings omit the former secret.
  const limited = { expires_at: end, ttl, GSI1PK: undefined, GSI1SK: undefined };
  const write =
    end === undefined
      ? { Delete: { Key, ...expecting({ session_until: until }) } }
      : { Update: { Key, ...assign(limited, { PK: Key.PK, session_until: until }) } };
  const ends: Record<string, Ended> = {};
  if (until !== undefined && until + CLOCK_SKEW_SECONDS > time / 1000)
    ends[secretId(sha256)] = { at: end ?? 0, until };
  if (former && former.until > time) {
    const id = secretId(former.sha256);
    // Sessions of the overlap expire with it.
    ends[id] = { at: 0, until: Math.max(Math.ceil(former.until / 1000), owner.ended?.[id]?.until ?? 0) };
  }
  const ending = Object.keys(ends).length > 0 ? withEnded(owner, ends, time) : undefined;
  const others = [
    ...(former ? [{ Delete: { Key: tokenKey(former.sha256) } }] : []),
    ...(ending?.writes ?? []),
  ];
  return { writes: [write, ...others], ending: ending?.to };
}

/** An account with a token name, and the end of the token's sessions, if known. */
export interface Known {
  readonly owner: Account;
  readonly held: HeldName | undefined;
  readonly until?: TokenItem['session_until'];
}

/** The known items after a failed condition, which contains the current one. */
export function knownAfter(known: Known, { item, write }: ConditionFailed): Known {
  const { PK = '', SK = '' } =
    (write?.Update ?? write?.Delete ?? write?.ConditionCheck)?.Key ?? write?.Put?.Item ?? {};
  if (SK === accountKey('').SK) return { ...known, owner: item as unknown as Account };
  if (PK.startsWith(PARTITIONS.TOKEN))
    return { ...known, until: (item as TokenItem | undefined)?.session_until };
  return { ...known, held: heldIn(item), until: undefined };
}
