import { withinGrace } from '../auth/activity.ts';
import { isApiToken } from '../auth/api-token.ts';
import { authenticateApiToken } from '../auth/authenticate.ts';
import { sessionCookie } from '../auth/session-cookie.ts';
import { type SigningKey, signSession } from '../auth/session-token.ts';
import { Failure } from '../failure.ts';
import { Answer } from '../http/answer.ts';
import type { GatewayEvent } from '../http/event.ts';
import type { Runtime } from '../runtime.ts';
import type { Account } from './account.ts';
import { API_USERNAME } from './names.ts';
import { verifyPasswordOf } from './password-login.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly createCookie?: boolean | undefined;
}

/**
 * Exchanges a username and password, or `api` and an API token, for a session token.
 *
 * @param signingKey the current private key
 * @throws Failure `invalid_credentials`, `too_many_requests`, `unavailable`
 */
export async function logIn(
  runtime: Runtime,
  signingKey: () => Promise<SigningKey>,
  { username, password, createCookie = false }: Credentials,
  event: GatewayEvent,
): Promise<Answer> {
  // First, since without a key no try may be spent.
  const key = await signingKey();
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
      token_type: 'Bearer',
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
    const { caller, noted } = await authenticateApiToken(runtime, token);
    await withinGrace(noted);
    return caller;
  } catch (error) {
    throw error instanceof Failure && error.code === 'unauthenticated'
      ? new Failure('invalid_credentials')
      : error;
  }
}
