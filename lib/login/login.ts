import { API_USERNAME } from '../account/identifiers.ts';
import { withinGrace } from '../auth/activity.ts';
import { authenticateApiToken, type Owners } from '../auth/authenticate.ts';
import type { Body } from '../contract/contract.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { causeOf, concerning, Failure } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { BoundedMap } from '../session/bounded-map.ts';
import type { SigningKey } from '../session/session-token.ts';
import { faultOf } from '../text/api-token-form.ts';
import type { contract } from './login.contract.ts';
import { openSession } from './open-session.ts';
import { verifyPasswordOf } from './password-login.ts';

/** Owners of the tokens that log in often. */
const owners: Owners = new BoundedMap();

/**
 * Exchanges a username and password, or `api` and an API token, for a session token.
 *
 * @throws Failure `invalid_credentials`, `too_many_requests`, `unavailable`
 */
export async function logIn(
  runtime: Runtime & { readonly signingKey: () => Promise<SigningKey> },
  { username, password, createCookie }: Body<typeof contract>,
  event: GatewayEvent,
) {
  const isToken = username === API_USERNAME;
  // Nothing is read for a text that is no token.
  const fault = isToken ? faultOf(password) : undefined;
  if (fault) throw new Failure('invalid_credentials', { cause: fault });
  // Comes before the proof: a missing key must not cost an attempt.
  const key = await runtime.signingKey();
  const { sourceIp } = event.requestContext.http;
  const token = isToken ? await ownerOf(runtime, password, sourceIp) : undefined;
  const open = (account: Account) =>
    openSession(runtime, key, account, event, { createCookie, token }).catch(concerning(account.username));
  if (!token) return verifyPasswordOf(runtime, username, password, sourceIp, open);
  const [opened] = await Promise.all([open(token.caller), withinGrace(token.recorded)]);
  return opened;
}

async function ownerOf(runtime: Runtime, value: string, address: string) {
  const owner = await authenticateApiToken(runtime, { value, address }, [], owners).catch(causeOf);
  if (typeof owner === 'string') throw new Failure('invalid_credentials', { cause: owner });
  return owner;
}
