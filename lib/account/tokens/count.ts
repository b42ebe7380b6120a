import { Failure } from '../../failure/failure.ts';
import { type Account, liveTokens } from '../../item/account.ts';
import type { TokenItem } from '../../item/token.ts';
import type { Announcement } from '../../outbox/announcement.ts';
import { assign } from '../../table/expressions.ts';
import { accountKey } from '../../table/keys.ts';
import type { TransactWrite } from '../../table/write.ts';
import { asRead } from '../account.ts';
import { type Ending, endedAsRead } from '../ended.ts';

export const MAX_TOKENS = 100;

type Token = Pick<TokenItem, 'expires_at'>;

export interface TokenChange {
  readonly created?: Token | undefined;
  readonly removed?: readonly Token[];
  /** Attributes that end the sessions of a removed token, computed from the account as read. */
  readonly ending?: Ending['to'] | undefined;
}

/**
 * Changes the number of tokens of an account, which must be as the event reports it. Expired tokens are no longer counted,
 * whether or not DynamoDB has removed them.
 *
 * @param now in milliseconds since the epoch
 * @throws Failure `account_cancelled` if the account is to get a token
 */
export function countTokens(
  owner: Account,
  { created, removed = [], ending }: TokenChange,
  announcement: Announcement<Account> | undefined,
  now: number,
): TransactWrite {
  if (created && !owner.isactive) throw new Failure('account_cancelled');
  const { token_ends = [] } = owner;
  const ends = token_ends.filter((end) => end > now);
  const passed = token_ends.length - ends.length;
  let gone = 0;
  for (const { expires_at: end } of removed) {
    const at = end === undefined ? undefined : ends.indexOf(end);
    // A caller whose clock is ahead has dropped and uncounted a missing end already.
    if (at === -1) continue;
    if (at !== undefined) ends.splice(at, 1);
    gone += 1;
  }
  const added = (created ? 1 : 0) - gone;
  const room = MAX_TOKENS - added;
  const end = created?.expires_at === undefined ? [] : [created.expires_at];
  // Otherwise an end is appended: parallel creations do not wait for each other, unless their events are numbered.
  const rewrites = ending || passed > 0 || removed.some(({ expires_at }) => expires_at !== undefined);
  const all = [...ends, ...end];
  const to = rewrites ? { token_ends: all.length > 0 ? all : undefined, ...ending } : {};
  const counted = announcement?.counted(owner);
  const { UpdateExpression, ConditionExpression, ...placeholders } = assign(
    { ...to, ...counted },
    {
      ...asRead(owner),
      // A revocation of all tokens ends those that are being created, and has uncounted those that are being removed.
      token_generation: owner.token_generation,
      ...announcement?.expected(owner),
      ...(rewrites && { token_ends: owner.token_ends }),
      ...(ending && endedAsRead(owner)),
    },
  );
  const append =
    rewrites || end.length === 0
      ? ''
      : `${UpdateExpression ? ',' : 'SET'} token_ends = list_append(if_not_exists(token_ends, :none), :end)`;
  return {
    Update: {
      Key: accountKey(owner.username),
      UpdateExpression: `${UpdateExpression}${append} ADD token_count :added`,
      ConditionExpression: `${ConditionExpression}${created ? ' AND token_count <= :room' : ''}`,
      ...placeholders,
      ExpressionAttributeValues: {
        ...placeholders.ExpressionAttributeValues,
        ':added': added - passed,
        ...(created && { ':room': room + passed }),
        ...(append && { ':none': [], ':end': end }),
      },
    },
    otherwise: (item) => (created ? refusal(item as Account | undefined, room, now) : undefined),
  };
}

function refusal(account: Account | undefined, room: number, now: number) {
  // Only a cancelled account is erased.
  if (!account?.isactive) return 'account_cancelled';
  return liveTokens(account, now) > room ? 'token_limit' : undefined;
}
