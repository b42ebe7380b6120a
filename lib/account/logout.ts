import { sessionCookie } from '../auth/session-cookie.ts';
import { Answer } from '../http/answer.ts';
import type { GatewayEvent } from '../http/event.ts';
import type { Runtime } from '../runtime.ts';
import { accountKey } from '../table/keys.ts';
import { update } from '../table/write.ts';
import type { Account } from './account.ts';

/** Changes the security stamp: every session token of the account dies. API tokens live on. */
export const resetStamp = ({ table, uuid }: Runtime, { username }: Account) =>
  update(table, {
    Key: accountKey(username),
    UpdateExpression: 'SET stamp = :stamp',
    ConditionExpression: 'attribute_exists(PK)',
    ExpressionAttributeValues: { ':stamp': uuid() },
  });

/** Ends all sessions of the caller, the one in the cookie included. */
export async function logOut(runtime: Runtime, caller: Account, event: GatewayEvent): Promise<Answer> {
  await resetStamp(runtime, caller);
  return new Answer({ username: caller.username }, { cookies: [sessionCookie(event, '', 0)] });
}
