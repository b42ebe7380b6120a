import { authorize, stillPermitted } from '../account/caller.ts';
import type { Contract } from '../contract/contract.ts';
import type { Account } from '../item/account.ts';
import type { Key } from '../table/keys.ts';
import type { Guard } from '../table/table.ts';
import type { Clock } from '../time.ts';
import type { EndpointMiddleware } from './request.ts';

/** Part of the request with the username that the access rule applies to. */
export const targetIn = ({ access }: Contract): 'path' | 'body' =>
  (typeof access === 'object' && access.orSelf) || 'path';

/** Condition that the API token of a request still is there: a token that was deleted meanwhile creates no other. */
const stillThere = (Key: Key): Guard => ({
  Key,
  ConditionExpression: 'attribute_exists(PK)',
  otherwise: (item) => (item ? undefined : 'unauthenticated'),
});

/** Decides the access of the caller to the account in the path or the body, and guards its writes. */
export function authorization(contract: Contract, now: Clock): EndpointMiddleware {
  const place = targetIn(contract);
  const guardsToken = contract.needs.flat().includes('transaction:ConditionCheckItem:TOKEN:end');
  return {
    before: ({ event }) => {
      const named = place === 'path' ? event.pathParameters : (event.body as { username?: string });
      const caller = event.caller as Account;
      const role = authorize(contract.access, caller, event.limits, named?.['username']);
      const next = guardsToken && event.token ? stillThere(event.token.key) : undefined;
      event.guard = { ...stillPermitted(caller, role, now), next };
    },
  };
}
