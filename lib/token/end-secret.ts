import { withEnded } from '../account/ended.ts';
import type { TokenChange } from '../account/tokens/count.ts';
import { type HeldName, heldIn } from '../account/tokens/names.ts';
import { type Account, type Ended, generationOf } from '../item/account.ts';
import { ENDED, type TokenItem } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { CLOCK_SKEW_SECONDS } from '../session/session-token.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, PARTITIONS, tokenKey } from '../table/keys.ts';
import type { ConditionFailed, TransactWrite } from '../table/write.ts';
import { secretId } from './secret.ts';

/**
 * The write that ends a token. Its item is removed alone afterwards: no transaction with an account deletes, since DynamoDB
 * may judge its actions and items together.
 */
export const endToken = (
  sha256: string,
  now: number,
  expected: Pick<TokenItem, 'session_until'> | object = {},
) => ({
  Update: {
    Key: tokenKey(sha256),
    ...assign({ expires_at: ENDED, ttl: Math.ceil(now / 1000) }, expected),
  },
});

/**
 * The writes that end the present and the former secret of a token, and the attributes of its owner that end their sessions,
 * if any. The first attempt expects a token without sessions; the item of the failed condition contains the end of the
 * sessions, which saves a read.
 *
 * @param until `session_until` of the token, as far as it is known
 * @param end of the secret, in milliseconds since the epoch; by default it ends at once
 * @returns also the hashes of the ended secrets, whose items are needless after the transaction
 */
export function endSecret(
  { now }: Pick<Runtime, 'now'>,
  owner: Account,
  { sha256, former }: HeldName,
  until: TokenItem['session_until'],
  end?: number,
): {
  readonly writes: TransactWrite[];
  readonly ending: TokenChange['ending'];
  readonly ended: readonly string[];
} {
  const time = now();
  const write =
    end === undefined
      ? endToken(sha256, time, { session_until: until })
      : limitToken(sha256, end, { session_until: until });
  const ends: Record<string, Ended> = {};
  if (until !== undefined && until + CLOCK_SKEW_SECONDS > time / 1000)
    ends[secretId(sha256)] = { at: end ?? 0, until };
  if (former && former.until > time) {
    const id = secretId(former.sha256);
    // Sessions of the overlap expire with it.
    ends[id] = { at: 0, until: Math.max(Math.ceil(former.until / 1000), owner.ended?.[id]?.until ?? 0) };
  }
  const ending = Object.keys(ends).length > 0 ? withEnded(owner, ends, time) : undefined;
  const ofFormer = former ? [endToken(former.sha256, time)] : [];
  const ended = [...(end === undefined ? [sha256] : []), ...(former ? [former.sha256] : [])];
  return { writes: [write, ...ofFormer, ...(ending?.writes ?? [])], ending: ending?.to, ended };
}

/** The write that lets a token end with an overlap, in which listings omit it. */
function limitToken(sha256: string, end: number, expected: Pick<TokenItem, 'session_until'> | object) {
  const Key = tokenKey(sha256);
  const limited = { expires_at: end, ttl: Math.ceil(end / 1000), GSI1PK: undefined, GSI1SK: undefined };
  return { Update: { Key, ...assign(limited, { PK: Key.PK, ...expected }) } };
}

/** An account with a token name, and the end of the token's sessions, if known. */
export interface Known {
  readonly owner: Account;
  readonly held: HeldName | undefined;
  readonly until?: TokenItem['session_until'];
}

/** The known items after a failed condition, which contains the current one. */
export function knownAfter(known: Known, { item, write }: ConditionFailed): Known {
  const { PK = '', SK = '' } = (write?.Update ?? write?.ConditionCheck)?.Key ?? {};
  if (SK === accountKey('').SK) {
    const owner = item as unknown as Account;
    // No name of an earlier generation is held.
    return generationOf(owner) === generationOf(known.owner)
      ? { ...known, owner }
      : { owner, held: undefined };
  }
  if (PK.startsWith(PARTITIONS.TOKEN))
    return { ...known, until: (item as TokenItem | undefined)?.session_until };
  return { ...known, held: heldIn(item), until: undefined };
}
