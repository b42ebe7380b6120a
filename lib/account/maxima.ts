/** Limits of an account: all of them are stored in the account item, which every request reads, and in its events. */
export const MAX_TEAMS = 100;
export const MAX_ROLES = 100;
export const MAX_APPS = 100;

/** Longest reason of a lock, in characters. */
export const MAX_REASON = 200;

/** Lifetime of a one-time code in hours: by default, and at most. */
export const CODE_HOURS = 24;
export const MAX_CODE_HOURS = 72;
