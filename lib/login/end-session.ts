import { endSession } from '../account/sessions.ts';
import type { Requester } from '../account/within.ts';
import { cookieOf } from '../auth/credential.ts';
import { checkFullAccess } from '../auth/credential-limits.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Account } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { sessionCookie } from '../session/session-cookie.ts';
import { sessionIdIn } from '../session/session-id.ts';
import type { VerifiedSession } from '../session/session-token.ts';

/** The request that ends a session. */
interface Ending extends Requester {
  readonly event: GatewayEvent;
  readonly limits: CredentialLimits;
  /** The session that authenticates; undefined for an API token. */
  readonly session: Pick<VerifiedSession, 'jti'> | undefined;
}

/**
 * Ends a session from the next request on, and removes the cookie of the request if it has this session. Every session may
 * end itself: a read-only credential ends nothing else, and others end no wider session.
 *
 * @throws Failure `session_not_found` if the session has ended, or never existed; `forbidden`
 */
export async function endRequested(
  runtime: Runtime,
  target: Account,
  id: string,
  { event, session, ...own }: Ending,
) {
  const isOwn = session?.jti === id;
  if (!isOwn) checkFullAccess(own.limits);
  const ended = await endSession(runtime, target, id, isOwn ? {} : own);
  const cookies = sessionIdIn(cookieOf(event)) === id ? [sessionCookie(event, '', 0)] : [];
  return new Answer(ended, { cookies });
}
