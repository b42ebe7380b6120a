import { type Authenticate, authenticateApiToken, authenticator, type Owners } from '../auth/authenticate.ts';
import { credentialIn } from '../auth/credential.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { causeOf } from '../failure/failure.ts';
import type { Runtime } from '../runtime.ts';
import { BoundedMap } from '../session/bounded-map.ts';
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
  const refused = (cause: ReturnType<typeof causeOf>) =>
    new OAuthFailure('invalid_client', 'Send a valid API token as the secret of the client.', {
      cause,
      challenges: isBasic,
    });
  const fault = faultOf(secret);
  if (fault) throw refused(fault);
  const { sourceIp: address } = event.requestContext.http;
  const verified = await authenticateApiToken(runtime, { value: secret, address }, [], owners).catch(causeOf);
  if (typeof verified === 'string') throw refused(verified);
  return provenIn(verified, secret);
}

/** Authenticators, by their table. Without a cache of accounts: what is issued cannot be ended. */
const authenticators = new WeakMap<object, Authenticate>();

function authenticatorOf(runtime: Runtime): Authenticate {
  const known = authenticators.get(runtime.table) ?? authenticator(runtime);
  authenticators.set(runtime.table, known);
  return known;
}

/**
 * Proves a session token or an API token of this API that a request exchanges (RFC 8693).
 *
 * @throws OAuthFailure `invalid_request` (RFC 8693 section 2.2.2)
 */
export async function provenSubject(runtime: Runtime, text: string, event: GatewayEvent): Promise<Proven> {
  const credential = credentialIn(text);
  const { sourceIp: address } = event.requestContext.http;
  const refused = (cause: ReturnType<typeof causeOf>) =>
    new OAuthFailure(
      'invalid_request',
      'subject_token must be a valid session token or API token of this API.',
      { cause },
    );
  const verified = credential
    ? await authenticatorOf(runtime)({ ...credential, address }).catch(causeOf)
    : 'malformed_credential';
  if (typeof verified === 'string') throw refused(verified);
  const proven = provenIn(verified, text);
  // The skew of clocks lets a session in for a moment longer, but nothing comes of it.
  if (proven.end <= Math.floor(runtime.now() / 1000)) throw refused('session_expired');
  return proven;
}

function provenIn(verified: Awaited<ReturnType<Authenticate>>, text: string): Proven {
  const { caller, credential, limits, session, recorded } = verified;
  // The overlap of a rotation may end before the session.
  const ends = [
    session?.exp ?? Number.POSITIVE_INFINITY,
    (limits.expires_at ?? Number.POSITIVE_INFINITY) / 1000,
  ];
  return {
    account: caller,
    limits,
    client: credential,
    credential,
    end: Math.floor(Math.min(...ends)),
    opening: session ? { session, text } : { token: verified },
    spending: [],
    record: () => recorded,
  };
}
