/** Limits of a token and of the sessions that it logs in, compared with its owner; an absent one limits nothing. */
export interface CredentialLimits {
  /** Permits GET requests only, logout excepted. */
  readonly access?: 'read';
  /** Only these of the owner's present roles count. */
  readonly roles?: readonly string[];
  /** CIDR blocks; requests from other addresses are refused. */
  readonly addresses?: readonly string[];
  /** End, in milliseconds since the epoch; from then on it is refused. */
  readonly expires_at?: number;
}

/** The limits in an object that has them among others; without those that are absent. */
export const limitsOf = (
  all: { readonly [K in keyof CredentialLimits]?: CredentialLimits[K] | undefined },
): CredentialLimits =>
  Object.fromEntries(LIMITS.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
const LIMITS = ['access', 'roles', 'addresses', 'expires_at'] as const;

/** Item of an API token, under the hash of its secret. */
export interface TokenItem extends CredentialLimits {
  /** Username of the owner, as created. */
  readonly username: string;
  readonly userid: string;
  readonly name: string;
  readonly token_created_at: string;
  readonly token_created_by: string;
  /** Absent until the first use. */
  readonly token_used_at?: string;
  /** Last four characters of the secret; absent from tokens of earlier versions. */
  readonly last4?: string;
  readonly description?: string;
  /** Latest end of the sessions that it has logged in, in seconds since the epoch; absent before the first. */
  readonly session_until?: number;
  /** Time at which DynamoDB may remove the item, in seconds since the epoch; absent without an end. */
  readonly ttl?: number;
}

/** Days before its end at which a token is announced, the first one first. */
export const DAYS_AHEAD = [14, 3] as const;

/** Entry in the calendar of token ends: the token is to be announced so many days before its end. */
export interface Reminder extends Pick<TokenItem, 'username' | 'name' | 'ttl'> {
  readonly expires_at: number;
  readonly days: number;
}

/** Item that reserves a name in its account and refers to the token. */
export interface TokenName extends Pick<TokenItem, 'expires_at' | 'ttl'> {
  readonly sha256: string;
  /** The secret that the last rotation replaced, and the end of its overlap in milliseconds since the epoch. */
  readonly former?: { readonly sha256: string; readonly until: number };
}

/** Whether a token, or the name of one, has not expired; DynamoDB may remove expired items days later. */
export const isLive = ({ expires_at }: Pick<TokenItem, 'expires_at'>, now: number) =>
  expires_at === undefined || expires_at > now;
