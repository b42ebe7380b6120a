import type {
  APIGatewayRequestAuthorizerEventV2 as Request,
  APIGatewaySimpleAuthorizerWithContextResult as Result,
} from 'aws-lambda';
import { credentialOf } from '#lib/auth/credential';
import { type Client, createClient } from '#lib/client/index';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { describe, log } from '#lib/log/log';
import { isWithin } from '#lib/network/addresses';
import { credentialOfFunction, isStored } from '../web-identity/credential.ts';

const { CORE_ACCOUNT_URL: url = '', CORE_ACCOUNT_ROLES = '[]' } = process.env;
const required: readonly string[] = JSON.parse(CORE_ACCOUNT_ROLES);

/** Two attempts of 4 seconds: the gateway waits for 10. */
const PATIENCE = { tries: 2, timeoutMs: 4000, maxWaitMs: 1000 };
/** Also ends the wait for a session, so that the reason of a failure is logged before Lambda ends the function. */
const DEADLINE_MS = 9_500;
const REFUSED = { isAuthorized: false, context: {} } as const;

let opened: Promise<Client> | undefined;

async function open(): Promise<Client> {
  return createClient({ url, credential: await credentialOfFunction(), ...PATIENCE });
}

/** @throws Error without an answer of the instance; a stored token is then read again, since it may have changed */
async function inspect(token: string) {
  try {
    opened ??= open();
    const signal = AbortSignal.timeout(DEADLINE_MS);
    return await (await opened).oauth.introspect({ token }, { signal });
  } catch (error) {
    if (isStored) opened = undefined;
    log('error', { error: describe(error, [token]) });
    throw new Error('The credential could not be checked');
  }
}

/** Only the header counts: the gateway caches answers by it. @throws Failure without a usable credential */
const presentedIn = async (event: Request) =>
  credentialOf({ ...event, rawQueryString: '', cookies: [] } as unknown as GatewayEvent, false).value;

/**
 * The Lambda authorizer of `CoreAccountAuthorizer`: inspects the credential of a request at the instance. Without an answer
 * it fails: the gateway then answers 500, and caches nothing.
 */
export async function handler(event: Request): Promise<Result<object>> {
  const presented = await presentedIn(event).catch(() => undefined);
  const found = presented === undefined ? undefined : await inspect(presented);
  if (found?.active !== true) return REFUSED;
  const { username, sub, scope, access, addresses } = found;
  const { method, sourceIp } = event.requestContext.http;
  const roles = scope?.split(' ') ?? [];
  const isPermitted =
    (access === undefined || method === 'GET') &&
    (addresses === undefined || isWithin(addresses, sourceIp)) &&
    required.every((role) => roles.includes(role));
  return isPermitted ? { isAuthorized: true, context: { username, sub, roles } } : REFUSED;
}
