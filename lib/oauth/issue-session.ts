import { withinGrace } from '../auth/activity.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { concerning } from '../failure/failure.ts';
import { newSession } from '../login/open-session.ts';
import { recordSession } from '../login/session-record.ts';
import type { Runtime } from '../runtime.ts';
import type { SigningKey } from '../session/session-token.ts';
import { storing, updateAll } from '../table/write.ts';
import { OAuthFailure } from './failure.ts';
import { answerOf, narrowed } from './issued.ts';
import type { Proven } from './proven.ts';

/**
 * Opens a session for a credential. A session gets itself: it becomes no longer, and no other.
 *
 * @throws OAuthFailure `invalid_scope`
 */
export async function issueSession(
  runtime: Runtime,
  key: SigningKey,
  proven: Proven,
  scope: string | undefined,
  event: GatewayEvent,
  isExchange: boolean,
) {
  const { account, credential, opening, end } = proven;
  if ('session' in opening) {
    if (scope !== undefined)
      throw new OAuthFailure(
        'invalid_scope',
        'A session has the scope with which it was opened: leave scope out.',
      );
    await withinGrace(proven.record());
    const issued = { token: opening.text, seconds: end - Math.floor(runtime.now() / 1000) };
    return answerOf(issued, account, proven.limits, event, isExchange, {
      login: { credential },
      changed: false,
    });
  }
  const { token, trust } = opening;
  const limits = narrowed(account, proven.limits, scope);
  const { record, answer } = await newSession(runtime, key, account, event, {
    ...(token && { token: { ...token, limits } }),
    ...(trust && { trust: { ...trust, limits } }),
  });
  const { PK, SK, ...session } = record;
  const recording = trust
    ? updateAll(runtime.table, [...proven.spending, storing({ PK, SK }, session)])
    : recordSession(runtime.table, record, token && { ...token, limits });
  await Promise.all([recording.catch(concerning(account.username)), withinGrace(proven.record())]);
  const { JWTtoken, expires_in } = answer.data;
  return answerOf({ token: JWTtoken, seconds: expires_in }, account, limits, event, isExchange, {
    ...(answer.login && { login: answer.login }),
  });
}
