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

/** An API token, under the hash of its secret. */
export interface TokenItem extends CredentialLimits {
  /** Username of the owner, as created. */
  readonly username: string;
  /** The `token_generation` of the owner at the creation; absent for 0. The token is valid while it is the owner's. */
  readonly of_generation?: number;
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

/**
 * A token as it is stored. Except those of the index, no attribute has the name of one of an account: DynamoDB may judge
 * a transaction by the attributes of all its items together.
 */
export type StoredToken = Omit<TokenItem, 'username' | 'roles'> & {
  readonly token_owner: string;
  readonly token_roles?: TokenItem['roles'];
};

/** What earlier versions stored instead of the attributes that {@link StoredToken} adds. */
type EarlierToken = Partial<Pick<TokenItem, 'username' | 'roles'>>;

export const asStored = ({ username, roles, ...token }: TokenItem): StoredToken => ({
  ...token,
  token_owner: username,
  ...(roles && { token_roles: roles }),
});

/** `expires_at` of a token that was deleted or replaced, until its item is removed. */
export const ENDED = 0;

/** The token in an item, with the other attributes of the item; undefined for a token that was deleted or replaced. */
export function tokenIn<Item extends StoredToken>(
  item: (Item & EarlierToken) | undefined,
): (TokenItem & Omit<Item, keyof StoredToken>) | undefined {
  if (!item || item.expires_at === ENDED) return undefined;
  const { token_owner, username = token_owner, token_roles, roles = token_roles, ...token } = item;
  return { ...token, username, ...(roles && { roles }) } as TokenItem & Omit<Item, keyof StoredToken>;
}

/** Days before its end at which a token is announced, the first one first. */
export const DAYS_AHEAD = [14, 3] as const;

/** Entry in the calendar of token ends: the token is to be announced so many days before its end. */
export interface Reminder extends Pick<StoredToken, 'name' | 'ttl' | 'of_generation'> {
  /** Username of the owner; absent from entries of earlier versions, which have it in `username`. */
  readonly token_owner?: string;
  readonly username?: string;
  readonly expires_at: number;
  /** Whether its event is stored; DynamoDB may remove the entry. */
  readonly announced?: true;
  readonly days: number;
}

/** Item that reserves a name in its account and refers to the token. */
export interface TokenName extends Pick<TokenItem, 'expires_at' | 'ttl'> {
  readonly sha256: string;
  /** The secret that the last rotation replaced, and the end of its overlap in milliseconds since the epoch. */
  readonly former?: { readonly sha256: string; readonly until: number };
}

/** A generation of tokens that has ended, whose items are not all removed yet. */
export interface Revocation {
  /** Username of the owner. */
  readonly revoked_of: string;
  readonly revoked_generation: number;
  /** Milliseconds since the epoch. */
  readonly revoked_at: number;
  /** Originator, in the event of each token; absent if the event of another change reports the tokens. */
  readonly revoked_by?: string;
  /** ID of the request. */
  readonly revoked_in?: string;
}

/** Whether a token, or the name of one, has not expired; DynamoDB may remove expired items days later. */
export const isLive = ({ expires_at }: Pick<TokenItem, 'expires_at'>, now: number) =>
  expires_at === undefined || expires_at > now;
