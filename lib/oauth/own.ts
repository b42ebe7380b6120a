import {
  type Authenticate,
  type Authentication,
  authenticateApiToken,
  authenticator,
  type Owners,
} from '../auth/authenticate.ts';
import { credentialIn } from '../auth/credential.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Cause } from '../failure/cause.ts';
import { causeOf } from '../failure/failure.ts';
import type { Runtime } from '../runtime.ts';
import { BoundedMap } from '../session/bounded-map.ts';
import type { CachedPublicKeys } from '../session/public-keys.ts';
import { faultOf } from '../text/api-token-form.ts';
import type { Client } from './client.ts';
import { OAuthFailure } from './failure.ts';
import type { Proven } from './proven.ts';

/** Owners of the API tokens that ask often. */
const owners: Owners = new BoundedMap();

/** Proves the API token that is the secret of a client. @throws OAuthFailure `invalid_client` */
export async function provenClient(
  runtime: Runtime,
  { secret, isBasic }: Client,
  event: GatewayEvent,
): Promise<Proven> {
  const refused = (cause: Cause) =>
    new OAuthFailure('invalid_client', 'Send a valid API token as the secret of the client.', {
      cause,
      challenges: isBasic,
    });
  const fault = faultOf(secret);
  if (fault) throw refused(fault);
  const { sourceIp: address } = event.requestContext.http;
  return provenIn(
    runtime,
    await authenticateApiToken(runtime, { value: secret, address }, [], owners).catch(causeOf),
    secret,
    refused,
  );
}

/** The keys of sessions, as the function has read them. */
export interface Verifying extends Runtime {
  readonly publicKeys: CachedPublicKeys;
}

/** Authenticators, by their keys. Without a cache of accounts: what is issued cannot be ended. */
const authenticators = new WeakMap<CachedPublicKeys, Authenticate>();

function authenticatorOf(runtime: Verifying): Authenticate {
  const { publicKeys } = runtime;
  const known = authenticators.get(publicKeys) ?? authenticator(runtime, undefined, publicKeys);
  authenticators.set(publicKeys, known);
  return known;
}

/**
 * Proves a session token or an API token of this API that a request exchanges (RFC 8693).
 *
 * @throws OAuthFailure `invalid_request` (RFC 8693 section 2.2.2)
 */
export async function provenSubject(runtime: Verifying, text: string, event: GatewayEvent): Promise<Proven> {
  const credential = credentialIn(text);
  const { sourceIp: address } = event.requestContext.http;
  const refused = (cause: Cause) =>
    new OAuthFailure(
      'invalid_request',
      'subject_token must be a valid session token or API token of this API.',
      { cause },
    );
  const verified = credential
    ? await authenticatorOf(runtime)({ ...credential, address }).catch(causeOf)
    : 'malformed_credential';
  return provenIn(runtime, verified, text, refused);
}

/**
 * @param verified the credential, or why it is refused
 * @throws what `refused` makes of a cause, also if the credential ends within this second, or clocks differ: nothing would
 *   be left
 */
function provenIn(
  { now }: Runtime,
  verified: Authentication | Cause,
  text: string,
  refused: (cause: Cause) => OAuthFailure,
): Proven {
  if (typeof verified === 'string') throw refused(verified);
  const { caller, credential, limits, session, recorded } = verified;
  // The overlap of a rotation may end before the session.
  const ends = [
    session?.exp ?? Number.POSITIVE_INFINITY,
    (limits.expires_at ?? Number.POSITIVE_INFINITY) / 1000,
  ];
  const end = Math.floor(Math.min(...ends));
  if (end <= Math.floor(now() / 1000)) throw refused(session ? 'session_expired' : 'token_expired');
  return {
    account: caller,
    limits,
    client: credential,
    credential,
    end,
    opening: session ? { session, text } : { token: verified },
    spending: [],
    record: () => recorded,
  };
}
