import { isUsername } from '../account/identifiers.ts';
import { withinGrace } from '../auth/activity.ts';
import { authenticator } from '../auth/authenticate.ts';
import { credentialOf, presentsCredential } from '../auth/credential.ts';
import { checkAccess } from '../auth/credential-limits.ts';
import { checkSameSite, isSameSiteOnly } from '../auth/cross-site.ts';
import type { Contract } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Runtime } from '../runtime.ts';
import type { CachedPublicKeys } from '../session/public-keys.ts';
import type { EndpointMiddleware } from './request.ts';

/** Whether the text of a body may have a code; the rule refuses a body that has none. */
const mayHaveCode = ({ body, isBase64Encoded }: GatewayEvent) =>
  body !== undefined && /"code"\s*:/.test(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);

/**
 * Verifies the credential, and reads the caller together with the accounts on the path. Without a credential there is no
 * caller if the contract accepts a code in its place, or requires none.
 */
export function authentication(
  contract: Contract,
  runtime: Runtime,
  publicKeys: CachedPublicKeys,
): EndpointMiddleware {
  const { accounts: parameters = [], accountCacheMs } = contract;
  const authenticate = authenticator(runtime, accountCacheMs?.(runtime.settings), publicKeys);
  const settle: EndpointMiddleware['after'] = async ({ event: { authenticated } }) => {
    await withinGrace(authenticated?.recorded);
  };

  return {
    before: async ({ event: context }) => {
      const { event } = context;
      const { method } = event.requestContext.http;
      const takesCode = contract.access === 'authenticated-or-code' && mayHaveCode(event);
      const mayLackCredential = takesCode || contract.access === 'optional';
      if (mayLackCredential && !presentsCredential(event)) return;
      const credential = credentialOf(event, runtime.settings.AllowQueryToken);
      const named = parameters.map((parameter) => event.pathParameters?.[parameter]);
      // An impossible name is not read; the validation refuses it later.
      const readable = named.filter((name) => name !== undefined).filter(isUsername);
      const { accounts, ...verified } = await authenticate(credential, readable);
      context.authenticated = { ...verified, authenticate };
      if (credential.isCookie && isSameSiteOnly(contract, method))
        checkSameSite(event, runtime.settings.CorsAllowedOrigins);
      context.accounts = named.map((name) =>
        name === undefined ? verified.caller : accounts[readable.indexOf(name)],
      );
      checkAccess(verified.limits, contract, method);
    },
    after: settle,
    onError: settle,
  };
}
