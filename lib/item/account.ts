import type { FilledIn } from './fields.ts';
import type { Membership } from './team.ts';

/**
 * The account item: all that one authentication needs and all that the directory lists, in one read.
 * Attributes have the names of the interface; times are ISO 8601.
 */
export interface Account extends FilledIn {
  readonly id: string;
  /** As created; unique without regard to case. */
  readonly username: string;
  /** Security stamp: session tokens carry it and die when it changes. */
  readonly stamp: string;
  readonly isactive: boolean;
  readonly lockoutenabled: boolean;
  /** End of the lockout, with offset; {@link FOREVER} when an administrator locked the account. */
  readonly lockoutend?: string;
  /** Login failures at or before this time count no more; in milliseconds since the epoch. */
  readonly failures_cleared_at?: number;
  /** UTC without a zone; the time of creation until it is used. */
  readonly lastActivity: string;
  /** Nobody has used it, so it counts on no day; false once somebody has, absent of accounts of earlier versions. */
  readonly never_used?: boolean;
  readonly roles: readonly string[];
  readonly apps: readonly string[];
  readonly teams: readonly Membership[];
  readonly token_count: number;
  readonly emailconfirmed: boolean;
  /** The default team; empty without one. */
  readonly team_id: string;
  readonly team_name: string;
  readonly user_app_name: string;
  readonly user_home: string | null;
  readonly user_avatar: string | null;
  /** UTC without a zone. */
  readonly created_at: string;
  /** How often its state has changed; absent until it first does. */
  readonly transitions?: number;
  /** ISO 8601, UTC, ends in Z; absent unless cancelled, and of accounts that an earlier version has cancelled. */
  readonly cancelled_at?: string;
  readonly cancelled_by?: string;
}

/** End of a lockout that only an administrator ends. */
export const FOREVER = '9999-12-31T23:59:59+00:00';

/** The password of an account, which only login reads: so it stands apart. */
export interface Password {
  /** bcrypt. */
  readonly hash: string;
}

/** Custom properties: JSON text, since DynamoDB holds neither all numbers nor all nesting that JSON has. */
export interface PropertiesText {
  readonly json: string;
}
