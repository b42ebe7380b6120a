import type { AccountEvent } from './account-event.ts';

/** An account was cancelled: subscribers clean up after it. */
export const userCancel: AccountEvent = {
  type: 'user_cancel',
  version: '1',
  detail: ({ teams, roles }, { at, by }) => ({
    /** ISO 8601, UTC, ends in Z. */
    cancelled_at: new Date(at).toISOString(),
    cancelled_by: by,
    teams: teams.map(({ team_id, team_short }) => ({ team_id, team_short })),
    roles,
  }),
};
