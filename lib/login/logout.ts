import { endSessions } from '../account/reset-stamp.ts';
import { checkMayEndAll } from '../account/sessions.ts';
import type { Requester } from '../account/within.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { sessionCookie } from '../session/session-cookie.ts';

/**
 * Ends all sessions of the caller, unless one is wider than its credential, including the one in the cookie. Parallel logouts both succeed; a session that
 * began after the first one stays valid.
 *
 * @throws Failure `forbidden`
 */
export async function logOut(runtime: Runtime, caller: Account, event: GatewayEvent, own: Requester) {
  await checkMayEndAll(runtime, caller, own);
  await endSessions(runtime, caller);
  return new Answer({ username: caller.username }, { cookies: [sessionCookie(event, '', 0)] });
}
