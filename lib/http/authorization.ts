import { authorize, stillPermitted } from '../account/caller.ts';
import type { Contract } from '../contract/contract.ts';
import type { Account } from '../item/account.ts';
import type { EndpointMiddleware } from './request.ts';

/** Part of the request with the username that the access rule applies to. */
export const targetIn = ({ access }: Contract): 'path' | 'body' =>
  (typeof access === 'object' && access.orSelf) || 'path';

/** Decides the access of the caller to the account in the path or the body, and guards its writes. */
export function authorization(contract: Contract): EndpointMiddleware {
  const place = targetIn(contract);
  return {
    before: ({ event }) => {
      const named = place === 'path' ? event.pathParameters : (event.body as { username?: string });
      const caller = event.caller as Account;
      event.guard = stillPermitted(caller, authorize(contract.access, caller, named?.['username']));
    },
  };
}
