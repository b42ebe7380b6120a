import { endSessions } from '../account/reset-stamp.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { sessionCookie } from '../session/session-cookie.ts';

/**
 * Ends all sessions that the caller has as it was read, the one in the cookie included. Of two logouts at once both
 * succeed, and the later one leaves alone who has logged in after the first.
 */
export async function logOut(runtime: Runtime, caller: Account, event: GatewayEvent) {
  await endSessions(runtime, caller);
  return new Answer({ username: caller.username }, { cookies: [sessionCookie(event, '', 0)] });
}
