import { createHash } from 'node:crypto';
import type { Account, Password, PropertiesText } from '../item/account.ts';
import type { Cancellation } from '../item/cancellation.ts';
import type { Counter, CursorSecret, PasswordCost, PublicKeyItem, Slice } from '../item/instance.ts';
import type { LoginAttempts } from '../item/login-attempts.ts';
import type { MadeToken } from '../item/made-token.ts';
import type { PendingEvent } from '../item/outbox-event.ts';
import type { Team } from '../item/team.ts';
import type { TokenItem, TokenName } from '../item/token.ts';

/** Stands in no object: it carries the type of an item through the type of its key. */
declare const ITEM: unique symbol;

/** A primary key of the table, and the type of the item that stands there. */
export interface Key<Item = unknown> {
  readonly PK: string;
  readonly SK: string;
  readonly [ITEM]?: Item;
}

/** A range of one partition of the table or of an index, in ascending order of the sort key. */
export interface Range<Item = unknown> {
  readonly PK: string;
  readonly index?: 'GSI1';
  /** Sort keys that begin with this ... */
  readonly prefix?: `${string}#`;
  /** ... or come after this. */
  readonly after?: string | undefined;
  readonly [ITEM]?: Item;
}

/**
 * How the partitions of each kind of item begin; one without `#` is a single partition. Grants are confined to
 * them.
 */
export const PARTITIONS = {
  ACCOUNT: 'ACCOUNT#',
  PASSWORD: 'PASSWORD#',
  TOKEN: 'TOKEN#',
  ATTEMPTS: 'ATTEMPTS#',
  TEAMS: 'TEAMS',
  CANCELLED: 'CANCELLED#',
  OUTBOX: 'OUTBOX',
  KEYS: 'KEYS',
  STATS: 'STATS',
  SLICE: 'SLICE#',
} as const;

/** The same of the partitions of the indexes. */
export const INDEX_PARTITIONS = {
  ACCOUNTS: 'ACCOUNTS#',
  TOKENS: 'TOKENS#',
} as const;

/** Usernames and shorts are of ASCII: what merely looks alike in lower case, as the Kelvin sign does, stays apart. */
export const foldCase = (name: string) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const sha256 = (text: string) => createHash('sha256').update(text);

/** Both listings and counters are spread over this many partitions or items by a hash of the username. */
export const SHARDS = 8;

const hashOf = (username: string) => sha256(foldCase(username)).digest();

const shardOf = (username: string) => (hashOf(username)[0] as number) % SHARDS;

const accountPartition = (username: string) => `${PARTITIONS.ACCOUNT}${foldCase(username)}`;

export const accountKey = (username: string): Key<Account> => ({
  PK: accountPartition(username),
  SK: 'ACCOUNT',
});
/** A hash has a partition of its own, since every function may read accounts, and login alone their hashes. */
export const passwordKey = (username: string): Key<Password> => ({
  PK: `${PARTITIONS.PASSWORD}${foldCase(username)}`,
  SK: 'PASSWORD',
});
/** Where earlier versions kept a hash. It counts where {@link passwordKey} has none, and is moved there. */
export const formerPasswordKey = (username: string): Key<Password> => ({
  PK: accountPartition(username),
  SK: 'PASSWORD',
});
export const propertiesKey = (username: string): Key<PropertiesText> => ({
  PK: accountPartition(username),
  SK: 'PROPERTIES',
});

const TOKEN_NAME = 'TOKEN#';
export const tokenNameKey = (username: string, name: string): Key<TokenName> => ({
  PK: accountPartition(username),
  SK: `${TOKEN_NAME}${name}`,
});
/** The name that a {@link tokenNameKey} has. */
export const nameOfToken = ({ SK }: Key<TokenName>) => SK.slice(TOKEN_NAME.length);
/** All token names of an account. */
export const tokenNames = (username: string): Range<TokenName> => ({
  PK: accountPartition(username),
  prefix: TOKEN_NAME,
});
export const tokenKey = (hash: string): Key<TokenItem> => ({ PK: `${PARTITIONS.TOKEN}${hash}`, SK: 'TOKEN' });

/** What an account has made with an `Idempotency-Key`, which stands there as a hash: a client may write anything. */
export const madeTokenKey = (username: string, key: string): Key<MadeToken> => ({
  PK: accountPartition(username),
  SK: `MADE#${sha256(key).digest('hex')}`,
});

/** Attempts are kept under a hash: a login may name anything at all, and no partition gets more than its share. */
const attemptsPartition = (name: string) => `${PARTITIONS.ATTEMPTS}${sha256(name).digest('hex')}`;

/** The attempts on a name, from wherever they come. */
export const attemptsOnNameKey = (username: string): Key<LoginAttempts> => ({
  PK: attemptsPartition(foldCase(username)),
  SK: 'NAME',
});

/** The attempts on a name from one address. */
export const attemptsOfPairKey = (username: string, address: string): Key<LoginAttempts> => ({
  PK: attemptsPartition(foldCase(username)),
  SK: `FROM#${address}`,
});

/** The attempts from one address, whatever they name. */
export const attemptsFromAddressKey = (address: string): Key<LoginAttempts> => ({
  PK: attemptsPartition(address),
  SK: 'ADDRESS',
});

export const teamKey = (short: string): Key<Team> => ({ PK: PARTITIONS.TEAMS, SK: foldCase(short) });
export const allTeams: Range<Team> = { PK: PARTITIONS.TEAMS };

export const outboxKey = (id: string): Key<PendingEvent> => ({ PK: PARTITIONS.OUTBOX, SK: id });
export const wholeOutbox: Range<PendingEvent> = { PK: PARTITIONS.OUTBOX };

const PUBLIC_KEY = 'PUBLIC#';
export const publicKeyItemKey = (kid: string): Key<PublicKeyItem> => ({
  PK: PARTITIONS.KEYS,
  SK: `${PUBLIC_KEY}${kid}`,
});
export const allPublicKeys: Range<PublicKeyItem> = { PK: PARTITIONS.KEYS, prefix: PUBLIC_KEY };
export const cursorSecretKey: Key<CursorSecret> = { PK: PARTITIONS.KEYS, SK: 'CURSOR' };

export const counterKey = (counter: string, username: string): Key<Counter> => ({
  PK: PARTITIONS.STATS,
  SK: `${counter}#${shardOf(username)}`,
});
/**
 * Counters that many accounts move at the same moment are spread over so many items, each in a partition of its own: one
 * BatchGetItem, of at most 100, reads them all.
 */
const SLICES = 64;

const sliceKeyOf = (slice: number): Key<Slice> => ({ PK: `${PARTITIONS.SLICE}${slice}`, SK: 'SLICE' });
export const sliceKey = (username: string) => sliceKeyOf((hashOf(username)[1] as number) % SLICES);
export const allSlices: readonly Key<Slice>[] = Array.from({ length: SLICES }, (_, slice) =>
  sliceKeyOf(slice),
);
export const passwordCostKey: Key<PasswordCost> = { PK: PARTITIONS.STATS, SK: 'PASSWORD_COST' };
export const allCounters: Range<Counter> = { PK: PARTITIONS.STATS };

/** A listing in GSI1, or in the table itself, spread over partitions of this name. */
export interface Listing<Item = unknown> {
  readonly name: 'ACCOUNTS' | 'TOKENS' | 'CANCELLED';
  readonly index?: 'GSI1';
  readonly [ITEM]?: Item;
}

/** All accounts, sorted by lower-cased username. */
export const DIRECTORY: Listing<Account> = { name: 'ACCOUNTS', index: 'GSI1' };
/** All API tokens, sorted by lower-cased owner, then name. */
export const ALL_TOKENS: Listing<TokenItem> = { name: 'TOKENS', index: 'GSI1' };
/** The accounts that are cancelled, sorted by when they were, then by lower-cased username. */
export const CANCELLATIONS: Listing<Cancellation> = { name: 'CANCELLED' };

const listingPartition = ({ name }: Listing, shard: number) =>
  `${{ ...PARTITIONS, ...INDEX_PARTITIONS }[name]}${shard}`;

/** The partitions of a listing, from after a sort key. */
export const listingRanges = <Item>(
  { index, ...listing }: Listing<Item>,
  after: string | undefined,
): Range<Item>[] =>
  Array.from({ length: SHARDS }, (_, shard) => ({
    PK: listingPartition(listing, shard),
    ...(index ? { index } : {}),
    after,
  }));

/** The attribute that a listing is sorted by. */
export const sortKeyOf = ({ index }: Listing) => `${index ?? ''}SK`;

/** The sort key of an item in its listing. */
export const positionIn = (listing: Listing, item: unknown) =>
  (item as Readonly<Record<string, string>>)[sortKeyOf(listing)] as string;

export const cancellationKey = (username: string, cancelledAt: string): Key<Cancellation> => ({
  PK: listingPartition(CANCELLATIONS, shardOf(username)),
  SK: `${cancelledAt}#${foldCase(username)}`,
});

/** Index keys of an account in the {@link DIRECTORY}. */
export const directoryIndex = (username: string) => ({
  GSI1PK: listingPartition(DIRECTORY, shardOf(username)),
  GSI1SK: foldCase(username),
});

/** Index keys of an API token among {@link ALL_TOKENS}. */
export const tokenIndex = (username: string, name: string) => ({
  GSI1PK: listingPartition(ALL_TOKENS, shardOf(username)),
  GSI1SK: `${foldCase(username)}#${name}`,
});
/** The tokens of an account as the index has them, by name: it may lack the changes of the last second. */
export const indexedTokens = (username: string): Range<TokenItem & Key<TokenItem>> => ({
  PK: listingPartition(ALL_TOKENS, shardOf(username)),
  index: 'GSI1',
  prefix: `${foldCase(username)}#`,
});
