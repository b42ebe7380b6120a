import type { FilledIn } from './fields.ts';
import type { Membership } from './team.ts';

/**
 * The account item: everything that an authentication needs and that the directory lists, in one read. Attributes have
 * the names of the interface; times are ISO 8601.
 */
export interface Account extends FilledIn {
  readonly id: string;
  /** Username as created; unique without regard to case. */
  readonly username: string;
  /** Security stamp, which session tokens contain. A new stamp ends all sessions. */
  readonly stamp: string;
  readonly isactive: boolean;
  readonly lockoutenabled: boolean;
  /** End of the lockout, with offset; {@link FOREVER} when an administrator locked the account. */
  readonly lockoutend?: string;
  /** Login failures up to this time are not counted; in milliseconds since the epoch. */
  readonly failures_cleared_at?: number;
  /** UTC without a zone; the time of creation until the first use. */
  readonly lastActivity: string;
  /** Whether it was never used, and so is counted on no day; absent from accounts of earlier versions. */
  readonly never_used?: boolean;
  readonly roles: readonly string[];
  readonly apps: readonly string[];
  readonly teams: readonly Membership[];
  readonly token_count: number;
  readonly emailconfirmed: boolean;
  /** ID of the default team; empty without one. */
  readonly team_id: string;
  readonly team_name: string;
  readonly user_app_name: string;
  readonly user_home: string | null;
  readonly user_avatar: string | null;
  /** UTC without a zone. */
  readonly created_at: string;
  /** Number of changes of its state; absent before the first. */
  readonly transitions?: number;
  /** ISO 8601, UTC, ends in Z; only of cancelled accounts, except those that an earlier version cancelled. */
  readonly cancelled_at?: string;
  readonly cancelled_by?: string;
}

/** End of a lockout that only an administrator ends. */
export const FOREVER = '9999-12-31T23:59:59+00:00';

/** Password of an account, in an item of its own, since only login reads it. */
export interface Password {
  /** bcrypt hash. */
  readonly hash: string;
}

/** Custom properties as JSON text, since DynamoDB does not support all numbers and all nesting of JSON. */
export interface PropertiesText {
  readonly json: string;
}
