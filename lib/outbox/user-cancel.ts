import type { Account } from '../account/account.ts';
import type { OutboxEvent } from './event.ts';

/** Detail of `user_cancel`: the business object hook `[app].[user_cancel]`. */
export interface UserCancel {
  readonly version: '1';
  readonly id: string;
  readonly hook: string;
  /** The application context of the account when it was cancelled. */
  readonly app: string;
  readonly username: string;
  readonly userid: string;
  /** ISO 8601, UTC, ends in Z. */
  readonly cancelled_at: string;
  readonly cancelled_by: string;
  readonly teams: readonly { readonly team_id: string; readonly team_short: string }[];
  readonly roles: readonly string[];
  readonly requestID: string;
}

/** The event of one cancellation. */
export function userCancel(
  id: string,
  account: Account,
  { cancelledAt, cancelledBy, requestId }: { cancelledAt: number; cancelledBy: string; requestId: string },
): OutboxEvent<UserCancel> {
  const app = account.user_app_name;
  return {
    id,
    detailType: 'user_cancel',
    createdAt: cancelledAt,
    detail: {
      version: '1',
      id,
      hook: `[${app}].[user_cancel]`,
      app,
      username: account.username,
      userid: account.id,
      cancelled_at: new Date(cancelledAt).toISOString(),
      cancelled_by: cancelledBy,
      teams: account.teams.map(({ team_id, team_short }) => ({ team_id, team_short })),
      roles: account.roles,
      requestID: requestId,
    },
  };
}
