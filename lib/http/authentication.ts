import { isUsername } from '../account/names.ts';
import { withinGrace } from '../auth/activity.ts';
import { type Authentication, authenticator } from '../auth/authenticate.ts';
import { authorize } from '../auth/caller.ts';
import { credentialOf } from '../auth/credential.ts';
import { refuseCrossSite } from '../auth/cross-site.ts';
import type { Runtime } from '../runtime.ts';
import type { Contract } from './contract.ts';
import type { GatewayEvent } from './event.ts';
import type { EndpointMiddleware } from './request.ts';

/** Verifies the credential, reads the accounts that the path names, and decides the access. */
export function authentication(contract: Contract, runtime: Runtime): EndpointMiddleware {
  const { access, accounts: parameters = [], unsafe } = contract;
  const authenticate = authenticator(runtime);
  const noted = new WeakMap<object, Authentication['noted']>();
  const settle: EndpointMiddleware['after'] = async ({ event }) => {
    await withinGrace(noted.get(event));
  };

  return {
    before: async ({ event }) => {
      const gatewayEvent = event as GatewayEvent;
      const credential = credentialOf(gatewayEvent, runtime.settings.AllowQueryToken);
      const named = parameters.map((parameter) => event.pathParameters?.[parameter]);
      // A name that no account can have is not read; the check of the shape refuses it later.
      const readable = named.filter((name) => name !== undefined && isUsername(name)) as string[];
      const { caller, accounts, noted: activity } = await authenticate(credential, readable);
      noted.set(event, activity);
      if (credential.via === 'cookie' && (unsafe || event.requestContext.http.method !== 'GET'))
        refuseCrossSite(gatewayEvent);
      event.caller = caller;
      event.accounts = named.map((name) => (name === undefined ? caller : accounts[readable.indexOf(name)]));
      authorize(access, caller, event.pathParameters?.['username']);
    },
    after: settle,
    onError: settle,
  };
}
