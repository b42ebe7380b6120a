import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { type Account, newestPasskey } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { sessionCookie } from '../session/session-cookie.ts';
import { AMR, type SigningKey, signSession } from '../session/session-token.ts';
import {
  type LoginToken,
  type OpeningPasskey,
  type OpeningTrust,
  recordSession,
  sessionRecord,
} from './session-record.ts';

export interface Opening {
  readonly createCookie?: boolean | undefined;
  /** The API token that logs in. */
  readonly token?: LoginToken | undefined;
  /** Whether a one-time code has proven the account, instead of its password. */
  readonly withCode?: boolean;
  /** The passkey that has proven the account: the session is of level 2. */
  readonly passkey?: OpeningPasskey;
  /** The trust that a token of its issuer has met. */
  readonly trust?: OpeningTrust;
}

/**
 * Signs a session, and records it.
 *
 * @param account as read when its credential was verified
 * @returns the answer of the login
 * @throws Failure as {@link newSession}; `invalid_credentials` if the API token was deleted since
 */
export async function openSession(
  runtime: Runtime,
  key: SigningKey,
  account: Account,
  event: GatewayEvent,
  opening: Opening,
) {
  const { record, answer } = await newSession(runtime, key, account, event, opening);
  await recordSession(runtime.table, record, opening.token);
  return answer;
}

/**
 * Signs a session. The session of a token or a trust has its limits, and ends with it.
 *
 * @returns the record, which the caller stores, and the answer, which may be sent only after that
 * @throws Failure `invalid_request` if the limits of the token are too long for a cookie
 */
export async function newSession(
  runtime: Runtime,
  key: SigningKey,
  account: Account,
  event: GatewayEvent,
  { createCookie = false, token, withCode = false, passkey, trust }: Opening,
) {
  const { id, username, stamp } = account;
  const issuedAt = Math.floor(runtime.now() / 1000);
  const hours = Math.round(runtime.settings.JwtExpireHours * 3600);
  const longest = trust ? Math.min(trust.seconds, hours) : hours;
  const end = token?.limits.expires_at ?? Number.POSITIVE_INFINITY;
  const lifetime = Math.max(1, Math.min(longest, Math.floor(end / 1000) - issuedAt));
  const jti = runtime.uuid();
  const { limits: given = {} } = trust ?? token ?? {};
  const limits = Object.keys(given).length > 0 ? given : undefined;
  const session = {
    sub: id,
    name: username,
    sst: stamp,
    tid: token?.secret,
    fid: trust?.id,
    tgn: trust ? account.token_generation : token?.token?.item.of_generation,
    limits,
    amr: AMR[passkey ? 'passkey' : trust ? 'trust' : token ? 'token' : withCode ? 'code' : 'password'],
    auth_time: passkey && issuedAt,
    pid: passkey?.enrolment,
  };
  const begun = { id: jti, kid: key.kid, issuedAt, end: issuedAt + lifetime, token, passkey, trust };
  const JWTtoken = await signSession(runtime, key, session, issuedAt, lifetime, jti);
  const record = sessionRecord(account, begun, event);
  const cookies = createCookie ? [sessionCookie(event, JWTtoken, lifetime)] : [];
  const answer = new Answer(
    {
      JWTtoken,
      token_type: 'Bearer' as const,
      expires_in: lifetime,
      expires_at: new Date((issuedAt + lifetime) * 1000).toISOString(),
      username,
      newest_passkey: newestPasskey(account),
    },
    { cookies, login: { credential: record.credential, session: jti } },
  );
  return { record, answer };
}
