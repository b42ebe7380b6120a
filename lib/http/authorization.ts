import { sameUsername } from '../account/account.ts';
import { authorize, stillPermitted } from '../account/caller.ts';
import { endOf, hasMoreEnded, listedEnds } from '../account/ended.ts';
import { endOfTrust, removalOf } from '../auth/authenticate.ts';
import { checkNoTrust, checkOwnSession } from '../auth/credential-limits.ts';
import type { Contract } from '../contract/contract.ts';
import type { Need } from '../contract/needs.ts';
import { Failure } from '../failure/failure.ts';
import { type Account, barOf, generationOf } from '../item/account.ts';
import type { EndedItem } from '../item/ended.ts';
import { ENDED, type StoredToken, tokenIn } from '../item/token.ts';
import { expecting } from '../table/expressions.ts';
import { endedKey, type Key } from '../table/keys.ts';
import type { Guard } from '../table/table.ts';
import type { Clock } from '../time.ts';
import { type EndpointMiddleware, fieldsOf, type RequestContext } from './request.ts';

/** Part of the request with the username that the access rule applies to. */
export const targetIn = ({ access }: Contract): 'path' | 'body' =>
  (typeof access === 'object' && access.orSelf) || 'path';

/** The username that the access rule applies to; undefined if the request names none. */
export function targetOf(contract: Contract, { event, input }: RequestContext): string | undefined {
  const fields = targetIn(contract) === 'path' ? event.pathParameters : fieldsOf(input?.body);
  const named = fields?.['username'];
  return typeof named === 'string' ? named : undefined;
}

/** Condition that the API token of a request still exists: a token that was deleted meanwhile cannot create another. */
const stillThere = (Key: Key): Guard => ({
  Key,
  ConditionExpression: 'attribute_exists(PK) AND (attribute_not_exists(expires_at) OR expires_at > :ended)',
  ExpressionAttributeValues: { ':ended': ENDED },
  otherwise: (item) =>
    tokenIn(item as StoredToken | undefined)
      ? undefined
      : new Failure('unauthenticated', { cause: 'token_deleted' }),
});

/** The condition on the caller, and that not all of its tokens were revoked meanwhile. */
const stillOfGeneration = (caller: Guard, read: Account): Guard => {
  const isSame = expecting({ token_generation: read.token_generation });
  return {
    ...caller,
    ConditionExpression: `${caller.ConditionExpression} AND ${isSame.ConditionExpression}`,
    ExpressionAttributeNames: { ...caller.ExpressionAttributeNames, ...isSame.ExpressionAttributeNames },
    ExpressionAttributeValues: { ...caller.ExpressionAttributeValues, ...isSame.ExpressionAttributeValues },
    otherwise: (item) => {
      const account = item as Account | undefined;
      return account && generationOf(account) !== generationOf(read)
        ? new Failure('unauthenticated', { cause: 'token_revoked' })
        : caller.otherwise(item);
    },
  };
};

interface OpenSession {
  readonly id: string;
  readonly secret: string | undefined;
  readonly passkey: string | undefined;
  readonly trust: string | undefined;
}

/**
 * The condition on the caller, and that the session of the request has not ended meanwhile. If more sessions of the caller
 * have ended than its account lists, their own items are checked too. If that has begun meanwhile, the request may be
 * repeated. The removal of a passkey or of a trust is a transition, so the condition on the caller finds it.
 *
 * @param session its ID, and those of the secret, the passkey or the trust that has opened it
 */
const stillOpen = (
  guard: Guard,
  caller: Account,
  { id: session, secret, passkey, trust }: OpenSession,
  now: Clock,
): Guard => {
  const ids = secret === undefined ? [session] : [session, secret];
  const { stamp, ended_until } = caller;
  const hasMore = hasMoreEnded(caller, now());
  const same = expecting({ stamp, ...(hasMore ? {} : { ended_until }) });
  return {
    ...guard,
    ConditionExpression: [
      guard.ConditionExpression,
      same.ConditionExpression,
      ...ids.map((_, n) => `(attribute_not_exists(#ended.#${n}) OR #ended.#${n}.#at > :at)`),
    ].join(' AND '),
    ExpressionAttributeNames: {
      ...guard.ExpressionAttributeNames,
      ...same.ExpressionAttributeNames,
      ...{ '#ended': 'ended', '#at': 'at' },
      ...Object.fromEntries(ids.map((id, n) => [`#${n}`, id])),
    },
    ExpressionAttributeValues: {
      ...guard.ExpressionAttributeValues,
      ...same.ExpressionAttributeValues,
      ':at': now(),
    },
    otherwise: (item) => {
      const account = item as Account | undefined;
      const cause =
        barOf(account, now()) ??
        (account && endOf(account, listedEnds(account), stamp, [session, secret], now())) ??
        (account && (removalOf(account, passkey) ?? endOfTrust(account, trust)));
      if (cause) return new Failure('unauthenticated', { cause });
      const isSame = hasMore || account?.ended_until === ended_until;
      return guard.otherwise(item) ?? (isSame ? undefined : new Failure('unavailable', { retryAfter: 1 }));
    },
    ...(hasMore && { next: notEnded(caller, ids, now) }),
  };
};

/** Conditions that sessions and secrets of an account have no end of their own that has passed. */
const notEnded = (caller: Account, [id, ...others]: readonly string[], now: Clock): Guard | undefined =>
  id === undefined
    ? undefined
    : {
        Key: endedKey(caller.username, id),
        ConditionExpression: 'attribute_not_exists(PK) OR ended_at > :at',
        ExpressionAttributeValues: { ':at': now() },
        otherwise: (item) => {
          const isOver = item !== undefined && (item as unknown as EndedItem).ended_at <= now();
          return isOver ? new Failure('unauthenticated', { cause: 'session_ended' }) : undefined;
        },
        next: notEnded(caller, others, now),
      };

/** Needs of endpoints that create a credential, or give one a new secret: it would outlive the session of a trust. */
const OF_CREDENTIALS: readonly Need[] = [
  'transaction:UpdateItem:TOKEN:create',
  'transaction:UpdateItem:CODE',
  'transaction:UpdateItem:TRUST',
];

/** Decides the access of the caller, and of its credential, to the account in the path or the body, and guards its writes. */
export function authorization(contract: Contract, now: Clock): EndpointMiddleware {
  const makesCredential = contract.needs.some((need) => OF_CREDENTIALS.includes(need));
  const guardsCredential = contract.needs.includes('transaction:ConditionCheckItem:ENDED');
  return {
    before: ({ event: context }) => {
      const { authenticated } = context;
      if (!authenticated) throw new Error('The caller is not known yet');
      const { caller, limits, token, credential, secret, session } = authenticated;
      const target = targetOf(contract, context);
      const role = authorize(contract.access, caller, limits, target);
      const isOwn = target === undefined || sameUsername(target, caller.username);
      if (contract.ownBy === 'session' && isOwn) checkOwnSession(session);
      if (makesCredential) checkNoTrust(session);
      const guard = stillPermitted(caller, role, now);
      const { pid: passkey, fid: trust } = session ?? {};
      const ofToken = (secret ?? trust) === undefined ? guard : stillOfGeneration(guard, caller);
      const guarded = token
        ? { ...ofToken, next: stillThere(token.key) }
        : stillOpen(ofToken, caller, { id: credential, secret, passkey, trust }, now);
      context.guard = guardsCredential ? guarded : guard;
    },
  };
}

/** Refuses a path with an unknown account; comes last, so that only permitted callers learn that. */
export const existence = (): EndpointMiddleware => ({
  before: ({ event: { accounts } }) => {
    if (accounts?.includes(undefined)) throw new Failure('account_not_found');
  },
});
