import { isUsername } from '../account/identifiers.ts';
import { withinGrace } from '../auth/activity.ts';
import { authenticator } from '../auth/authenticate.ts';
import { credentialOf, presentsCredential } from '../auth/credential.ts';
import { checkSameSite, isSameSiteOnly } from '../auth/cross-site.ts';
import { checkAccess } from '../auth/limits.ts';
import type { Contract } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { concerning } from '../failure.ts';
import type { Runtime } from '../runtime.ts';
import type { EndpointEvent, EndpointMiddleware } from './request.ts';

/** Whether the text of a body may have a code; the rule refuses a body that has none. */
const mayHaveCode = ({ body, isBase64Encoded }: EndpointEvent) =>
  typeof body === 'string' &&
  /"code"\s*:/.test(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);

/**
 * Verifies the credential, and reads the caller together with the accounts on the path. Without a credential there is no
 * caller if the contract accepts a code in its place.
 */
export function authentication(contract: Contract, runtime: Runtime): EndpointMiddleware {
  const { accounts: parameters = [], answersDuringOutage = false } = contract;
  const authenticate = authenticator(runtime, answersDuringOutage);
  const settle: EndpointMiddleware['after'] = async ({ event }) => {
    await withinGrace(event.recorded);
  };

  return {
    before: async ({ event }) => {
      const gatewayEvent = event as GatewayEvent;
      const takesCode = contract.access === 'authenticated-or-code' && mayHaveCode(event);
      if (takesCode && !presentsCredential(gatewayEvent)) return;
      const credential = credentialOf(gatewayEvent, runtime.settings.AllowQueryToken);
      const named = parameters.map((parameter) => event.pathParameters?.[parameter]);
      // An impossible name is not read; the validation refuses it later.
      const readable = named.filter((name) => name !== undefined && isUsername(name)) as string[];
      const { caller, accounts, ...verified } = await authenticate(credential, readable);
      event.recorded = verified.recorded;
      event.credential = verified.credential;
      if (credential.isCookie && isSameSiteOnly(contract, event.requestContext.http.method))
        try {
          checkSameSite(gatewayEvent, runtime.settings.CorsAllowedOrigins);
        } catch (error) {
          concerning(caller.username)(error);
        }
      event.caller = caller;
      event.limits = verified.limits;
      event.authenticate = authenticate;
      event.secret = verified.secret;
      event.token = verified.token;
      event.accounts = named.map((name) => (name === undefined ? caller : accounts[readable.indexOf(name)]));
      checkAccess(verified.limits, contract, event.requestContext.http.method);
    },
    after: settle,
    onError: settle,
  };
}
