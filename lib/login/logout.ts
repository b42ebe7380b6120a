import { endSessions } from '../account/reset-stamp.ts';
import { checkMayEndAll } from '../account/sessions.ts';
import { isNarrow, type Requester } from '../account/within.ts';
import { Answer } from '../contract/answer.ts';
import type { GatewayEvent } from '../contract/gateway-event.ts';
import { forbidden } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import type { Runtime } from '../runtime.ts';
import { sessionCookie } from '../session/session-cookie.ts';
import { codeKey } from '../table/keys.ts';
import type { Guard } from '../table/table.ts';

/**
 * Ends all sessions of the caller, including the one in the cookie, and its open one-time code. A credential with limits is
 * refused if that would end a wider session, or a code, which permits everything. Parallel logouts both succeed; a session
 * that began after the first one stays valid.
 *
 * @throws Failure `forbidden`
 */
export async function logOut(runtime: Runtime, caller: Account, event: GatewayEvent, own: Requester) {
  await checkMayEndAll(runtime, caller, own);
  const { table } = runtime;
  const guard = isNarrow(own.limits ?? {}) ? withoutCode(runtime, caller, own) : table.guard;
  await endSessions({ ...runtime, table: guard ? { ...table, guard } : table }, caller);
  return new Answer({ username: caller.username }, { cookies: [sessionCookie(event, '', 0)] });
}

/** Condition that an account has no open one-time code; DynamoDB may remove an expired one days later. */
function withoutCode({ table, now }: Runtime, { username }: Account, { limits = {} }: Requester): Guard {
  const [limit = 'roles'] = (['access', 'roles', 'addresses'] as const).filter((name) => name in limits);
  return {
    Key: codeKey(username),
    ConditionExpression: 'attribute_not_exists(PK) OR expires_at <= :now',
    ExpressionAttributeValues: { ':now': now() },
    otherwise: (item) =>
      item !== undefined && (item as unknown as OneTimeCode).expires_at > now()
        ? forbidden(limit, 'Would end a one-time code of the account')
        : undefined,
    next: table.guard,
  };
}
