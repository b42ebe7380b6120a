import { API_USERNAME } from '../account/identifiers.ts';
import { withinGrace } from '../auth/activity.ts';
import { authenticateApiToken } from '../auth/authenticate.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { Failure } from '../failure.ts';
import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { sessionCookie } from '../session/session-cookie.ts';
import { type SigningKey, signSession } from '../session/session-token.ts';
import { isApiToken } from '../token/secret.ts';
import { verifyPasswordOf } from './password-login.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly createCookie?: boolean | undefined;
}

/**
 * Exchanges a username and password, or `api` and an API token, for a session token.
 *
 * @throws Failure `invalid_credentials`, `too_many_requests`, `unavailable`
 */
export async function logIn(
  runtime: Runtime & { readonly signingKey: () => Promise<SigningKey> },
  { username, password, createCookie = false }: Credentials,
  event: GatewayEvent,
) {
  // Comes first: a missing key must not cost an attempt.
  const key = await runtime.signingKey();
  const account =
    username === API_USERNAME
      ? await ownerOf(runtime, password)
      : await verifyPasswordOf(runtime, username, password, event.requestContext.http.sourceIp);

  const lifetime = Math.max(1, Math.round(runtime.settings.JwtExpireHours * 3600));
  const issuedAt = Math.floor(runtime.now() / 1000);
  const session = { sub: account.id, name: account.username, sst: account.stamp };
  const JWTtoken = await signSession(runtime, key, session, issuedAt, lifetime);
  return new Answer(
    {
      JWTtoken,
      token_type: 'Bearer' as const,
      expires_in: lifetime,
      expires_at: new Date((issuedAt + lifetime) * 1000).toISOString(),
      username: account.username,
    },
    { cookies: createCookie ? [sessionCookie(event, JWTtoken, lifetime)] : [] },
  );
}

async function ownerOf(runtime: Runtime, token: string): Promise<Account> {
  if (!isApiToken(token)) throw new Failure('invalid_credentials');
  try {
    const { caller, recorded } = await authenticateApiToken(runtime, token);
    await withinGrace(recorded);
    return caller;
  } catch (error) {
    throw error instanceof Failure && error.code === 'unauthenticated'
      ? new Failure('invalid_credentials')
      : error;
  }
}
