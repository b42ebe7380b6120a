import { authorize, stillPermitted } from '../account/caller.ts';
import { hasEnded } from '../account/ended.ts';
import type { Contract } from '../contract/contract.ts';
import type { Account } from '../item/account.ts';
import type { Key } from '../table/keys.ts';
import type { Guard } from '../table/table.ts';
import type { Clock } from '../time.ts';
import { type EndpointMiddleware, fieldsOf } from './request.ts';

/** Part of the request with the username that the access rule applies to. */
export const targetIn = ({ access }: Contract): 'path' | 'body' =>
  (typeof access === 'object' && access.orSelf) || 'path';

/** Condition that the API token of a request still exists: a token that was deleted meanwhile cannot create another. */
const stillThere = (Key: Key): Guard => ({
  Key,
  ConditionExpression: 'attribute_exists(PK)',
  otherwise: (item) => (item ? undefined : 'unauthenticated'),
});

/**
 * The condition on the caller, and that the session of the request has not ended meanwhile.
 *
 * @param stamp security stamp of the session
 * @param ids of the session, and of the secret that has logged it in
 */
const stillOpen = (caller: Guard, stamp: string, ids: readonly string[], now: Clock): Guard => ({
  ...caller,
  ConditionExpression: [
    `${caller.ConditionExpression} AND #stamp = :stamp`,
    ...ids.map((_, n) => `(attribute_not_exists(#ended.#${n}) OR #ended.#${n}.#at > :at)`),
  ].join(' AND '),
  ExpressionAttributeNames: {
    ...caller.ExpressionAttributeNames,
    ...{ '#stamp': 'stamp', '#ended': 'ended', '#at': 'at' },
    ...Object.fromEntries(ids.map((id, n) => [`#${n}`, id])),
  },
  ExpressionAttributeValues: { ...caller.ExpressionAttributeValues, ':stamp': stamp, ':at': now() },
  otherwise: (item) => {
    const account = item as Account | undefined;
    const isOver = account && (account.stamp !== stamp || hasEnded(account, ids, now()));
    return isOver ? 'unauthenticated' : caller.otherwise(item);
  },
});

/** Decides the access of the caller to the account in the path or the body, and guards its writes. */
export function authorization(contract: Contract, now: Clock): EndpointMiddleware {
  const place = targetIn(contract);
  const guardsToken = contract.needs.flat().includes('transaction:ConditionCheckItem:TOKEN:end');
  return {
    before: ({ event: context }) => {
      const { event, authenticated, input } = context;
      if (!authenticated) throw new Error('The caller is not known yet');
      const { caller, limits, token, credential, secret } = authenticated;
      const named = place === 'path' ? event.pathParameters?.['username'] : fieldsOf(input?.body)['username'];
      const target = typeof named === 'string' ? named : undefined;
      const role = authorize(contract.access, caller, limits, target);
      const guard = stillPermitted(caller, role, now);
      const ids = [credential, secret].filter((id) => id !== undefined);
      const guarded = token
        ? { ...guard, next: stillThere(token.key) }
        : stillOpen(guard, caller.stamp, ids, now);
      context.guard = guardsToken ? guarded : guard;
    },
  };
}
