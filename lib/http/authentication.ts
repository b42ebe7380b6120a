import { isUsername } from '../account/identifiers.ts';
import { withinGrace } from '../auth/activity.ts';
import { type Authentication, authenticator } from '../auth/authenticate.ts';
import { credentialOf } from '../auth/credential.ts';
import { checkSameSite } from '../auth/cross-site.ts';
import type { Contract } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { concerning } from '../failure.ts';
import type { Runtime } from '../runtime.ts';
import type { EndpointMiddleware } from './request.ts';

/** Verifies the credential, and reads the caller together with the accounts on the path. */
export function authentication(contract: Contract, runtime: Runtime): EndpointMiddleware {
  const { accounts: parameters = [], unsafe, answersDuringOutage = false } = contract;
  const authenticate = authenticator(runtime, answersDuringOutage);
  const recorded = new WeakMap<object, Authentication['recorded']>();
  const settle: EndpointMiddleware['after'] = async ({ event }) => {
    await withinGrace(recorded.get(event));
  };

  return {
    before: async ({ event }) => {
      const gatewayEvent = event as GatewayEvent;
      const credential = credentialOf(gatewayEvent, runtime.settings.AllowQueryToken);
      const named = parameters.map((parameter) => event.pathParameters?.[parameter]);
      // An impossible name is not read; the validation refuses it later.
      const readable = named.filter((name) => name !== undefined && isUsername(name)) as string[];
      const { caller, accounts, recorded: activity } = await authenticate(credential, readable);
      recorded.set(event, activity);
      if (credential.via === 'cookie' && (unsafe || event.requestContext.http.method !== 'GET'))
        try {
          checkSameSite(gatewayEvent, runtime.settings.CorsAllowedOrigins);
        } catch (error) {
          concerning(caller.username)(error);
        }
      event.caller = caller;
      event.accounts = named.map((name) => (name === undefined ? caller : accounts[readable.indexOf(name)]));
    },
    after: settle,
    onError: settle,
  };
}
