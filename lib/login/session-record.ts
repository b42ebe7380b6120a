import type { UsedToken } from '../auth/activity.ts';
import type { Authentication } from '../auth/authenticate.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { Failure } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import type { SessionRecord } from '../item/session.ts';
import { asStored, type CredentialLimits, type StoredToken, tokenIn } from '../item/token.ts';
import { withoutCredentials } from '../log/redact.ts';
import { assign } from '../table/expressions.ts';
import { type Key, sessionKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import type { Table } from '../table/table.ts';
import { put, update } from '../table/write.ts';
import { withoutControls } from '../text/control-characters.ts';

/** The API token that logs in a session. */
export type LoginToken = Pick<Authentication, 'credential' | 'limits' | 'secret' | 'token'>;

/** The passkey that opens a session. */
export interface OpeningPasskey {
  /** ID of its enrolment. */
  readonly enrolment: string;
  readonly name: string;
}

/** The trust that opens a session. */
export interface OpeningTrust {
  readonly id: string;
  readonly name: string;
  readonly limits: CredentialLimits;
  /** Longest lifetime of the session. */
  readonly seconds: number;
}

/** Maximum length of a recorded user agent. */
export const MAX_AGENT = 256;

/** Margin of the end of sessions that a token stores: it is written at most once in this time. */
const AHEAD_SECONDS = 60;

/**
 * The record of a session, by which it can be listed and ended.
 *
 * @param begun times in seconds since the epoch
 */
export function sessionRecord(
  { username, stamp, token_generation = 0 }: Account,
  begun: {
    id: string;
    kid: string;
    issuedAt: number;
    end: number;
    token: LoginToken | undefined;
    passkey?: OpeningPasskey | undefined;
    trust?: OpeningTrust | undefined;
  },
  { requestContext: { http } }: GatewayEvent,
): SessionRecord & Key<SessionRecord> {
  const { id, kid, issuedAt, end, token, passkey, trust } = begun;
  const generation = trust ? token_generation : (token?.token?.item.of_generation ?? 0);
  const { limits } = trust ?? token ?? {};
  const agent = withoutCredentials(withoutControls(http.userAgent ?? '')).slice(0, MAX_AGENT);
  return {
    ...sessionKey(username, id),
    created_at: new Date(issuedAt * 1000).toISOString(),
    address: http.sourceIp,
    // The cut may leave half of a character.
    user_agent: agent.toWellFormed() || null,
    credential: passkey
      ? `passkey:${passkey.name}`
      : trust
        ? `trust:${trust.name}`
        : (token?.credential ?? null),
    ...(passkey && { passkey: passkey.enrolment }),
    ...(token?.secret && { secret: token.secret }),
    ...(trust && { trust: trust.id }),
    ...(limits && { limits }),
    ...(generation > 0 && { of_generation: generation }),
    kid,
    stamp,
    ttl: end,
  };
}

/**
 * Records the session of a login in one round trip. A login without a record fails.
 *
 * @param token the API token that logs in
 * @throws Failure `invalid_credentials` if the token was deleted after it was read
 */
export async function recordSession(
  table: Table,
  { PK, SK, ...record }: ReturnType<typeof sessionRecord>,
  token: LoginToken | undefined,
): Promise<void> {
  const key = { PK, SK };
  const recording = put(table, key, record);
  const noting = token?.token && noteEnd(table, token.token, record.ttl);
  await Promise.all([recording, noting]).catch(async (error) => {
    // A login that fails leaves no session to list.
    await recording.then(() => put(table, key, { ...record, ttl: Date.parse(record.created_at) / 1000 }));
    throw error;
  });
}

/**
 * Notes the end of its last session in a token, on the condition that the end of the token is unchanged. A change that ends
 * the sessions of the token has the condition that the noted end is unchanged.
 */
const noteEnd = (table: Table, { key, item }: UsedToken, end: number) =>
  optimistically<StoredToken | undefined, undefined>(asStored(item), async (stored) => {
    const current = tokenIn(stored);
    if (!current) throw new Failure('invalid_credentials', { cause: 'token_deleted' });
    const { expires_at, session_until } = current;
    if (expires_at !== item.expires_at) throw new Failure('unavailable', { retryAfter: 1 });
    if ((session_until ?? 0) >= end) return undefined;
    const changes = assign({ session_until: end + AHEAD_SECONDS }, { PK: key.PK, expires_at, session_until });
    return update(table, { Key: key, ...changes });
  });
