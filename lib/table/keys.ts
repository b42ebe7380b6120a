import { createHash } from 'node:crypto';
import type { Account, Password, PropertiesText } from '../item/account.ts';
import type { Act, AuditItem } from '../item/audit-entry.ts';
import type { Cancellation } from '../item/cancellation.ts';
import type { EndedItem } from '../item/ended.ts';
import type { Erased, Erasure } from '../item/erasure.ts';
import type { ExportPages } from '../item/export-pages.ts';
import type {
  Counter,
  ErasureKeyCheck,
  PasswordCost,
  PublicKeyItem,
  Slice,
  TableSecret,
} from '../item/instance.ts';
import type { IssuerKeys } from '../item/issuer.ts';
import type { AddressBlock, LoginAttempts } from '../item/login-attempts.ts';
import type { Made } from '../item/made.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import type { PendingEvent } from '../item/outbox-event.ts';
import type { Pass } from '../item/pass.ts';
import type { Passkey, SpentChallenge } from '../item/passkey.ts';
import type { SessionRecord } from '../item/session.ts';
import type { StoredTeam } from '../item/team.ts';
import type { Reminder, Revocation, StoredToken, TokenName } from '../item/token.ts';
import type { SpentGrant, TrustItem } from '../item/trust.ts';
import { foldCase } from '../text/fold-case.ts';
import { dateOf, isoOf } from '../time.ts';

/** Phantom property (type level only): ties a key to the type of its item. */
declare const ITEM: unique symbol;

/** A primary key of the table, with the type of its item. */
export interface Key<Item = unknown> {
  readonly PK: string;
  readonly SK: string;
  readonly [ITEM]?: Item;
}

/** A range of one partition of the table or of an index, by default in ascending order of the sort key. */
export interface Range<Item = unknown> {
  readonly PK: string;
  readonly index?: 'GSI1';
  /** Only sort keys with this prefix. */
  readonly prefix?: `${string}#`;
  /** Only sort keys after this one. */
  readonly after?: string | undefined;
  readonly descending?: true;
  /** Only sort keys before this one; with `after`, both are included. */
  readonly before?: string;
  /** Only these attributes of its items, which cost as much as all. */
  readonly attributes?: readonly string[];
  readonly [ITEM]?: Item;
}

/**
 * Prefixes of the partitions of each kind of item; a value without `#` is a single partition. Grants are limited to
 * these partitions.
 */
export const PARTITIONS = {
  ACCOUNT: 'ACCOUNT#',
  PASSWORD: 'PASSWORD#',
  SESSION: 'SESSION#',
  ENDED: 'ENDED#',
  CODE: 'CODE#',
  TOKEN: 'TOKEN#',
  NAMES: 'NAMES#',
  REVOKED: 'REVOKED',
  ATTEMPTS: 'ATTEMPTS#',
  BLOCKS: 'BLOCKS',
  TEAMS: 'TEAMS',
  CANCELLED: 'CANCELLED#',
  OUTBOX: 'OUTBOX',
  KEYS: 'KEYS',
  RESOURCE_KEYS: 'RESOURCE_KEYS',
  CURSORS: 'CURSORS',
  PASSKEY: 'PASSKEY#',
  CHALLENGES: 'CHALLENGES',
  SPENT: 'SPENT#',
  MADE: 'MADE#',
  EXPIRING: 'EXPIRING#',
  STATS: 'STATS',
  SLICE: 'SLICE#',
  AUDIT: 'AUDIT#',
  ACTS: 'ACTS#',
  EXPORTS: 'EXPORTS#',
  ERASED: 'ERASED#',
  ERASING: 'ERASING',
  ERASURE_KEY: 'ERASURE_KEY',
  FOLLOWING: 'FOLLOWING',
  TRUST: 'TRUST#',
  ISSUER: 'ISSUER#',
  GRANT: 'GRANT#',
} as const;

export const INDEX_PARTITIONS = {
  ACCOUNTS: 'ACCOUNTS#',
  TOKENS: 'TOKENS#',
  TARGETS: 'TARGETS#',
  REFUSALS: 'REFUSALS#',
  TRUSTS: 'TRUSTS#',
} as const;

const sha256 = (text: string) => createHash('sha256').update(text);

/** Number of partitions of a listing, and of items of a counter, chosen by a hash of the username. */
export const SHARDS = 8;

const hashOf = (username: string) => sha256(foldCase(username)).digest();

const shardOf = (username: string) => (hashOf(username)[0] as number) % SHARDS;

const partitionOf = (kind: keyof typeof PARTITIONS, username: string) =>
  `${PARTITIONS[kind]}${foldCase(username)}`;

const key = <Item>(PK: string, SK: string): Key<Item> => ({ PK, SK });

/** Key of an account. Usernames that differ in case only are the same. */
export const accountKey = (username: string) => key<Account>(partitionOf('ACCOUNT', username), 'ACCOUNT');
/** Hashes have partitions of their own, since many functions read accounts; only login and password changes read hashes. */
export const passwordKey = (username: string) => key<Password>(partitionOf('PASSWORD', username), 'PASSWORD');
/** Key of the one-time code that sets the password of an account. */
export const codeKey = (username: string) => key<OneTimeCode>(partitionOf('CODE', username), 'CODE');
export const propertiesKey = (username: string) =>
  key<PropertiesText>(partitionOf('ACCOUNT', username), 'PROPERTIES');

const TOKEN_NAME = 'TOKEN#';
/**
 * Names have partitions of their own, since they expire, and no function may delete items of an account. Those of each
 * generation have one, so that all are free as soon as their generation ends.
 */
const namesPartition = (username: string, generation: number) =>
  `${partitionOf('NAMES', username)}${generation > 0 ? `#${generation}` : ''}`;
export const tokenNameKey = (username: string, name: string, generation = 0) =>
  key<TokenName>(namesPartition(username, generation), `${TOKEN_NAME}${name}`);
/** Key of a name in earlier versions. The item has lost its attributes when the name is free again. */
export const formerTokenNameKey = (username: string, name: string) =>
  key<Partial<TokenName>>(partitionOf('ACCOUNT', username), `${TOKEN_NAME}${name}`);
/** Whether the key of a name is a {@link formerTokenNameKey}. */
export const isFormerName = ({ PK }: Key) => PK.startsWith(PARTITIONS.ACCOUNT);
/** The token name in a {@link tokenNameKey} or {@link formerTokenNameKey}. */
export const nameOfToken = ({ SK }: Key<TokenName>) => SK.slice(TOKEN_NAME.length);
export const tokenNames = (username: string, generation = 0): Range<TokenName> => ({
  PK: namesPartition(username, generation),
  prefix: TOKEN_NAME,
});
/** The same in earlier versions, with the names that are free again. */
export const formerTokenNames = (username: string): Range<Partial<TokenName>> => ({
  PK: partitionOf('ACCOUNT', username),
  prefix: TOKEN_NAME,
});
/** Key of an API token. @param hash of its secret */
export const tokenKey = (hash: string) => key<StoredToken>(`${PARTITIONS.TOKEN}${hash}`, 'TOKEN');

/** Key of a generation of tokens that has ended. */
export const revocationKey = (username: string, generation: number) =>
  key<Revocation>(PARTITIONS.REVOKED, `${foldCase(username)}#${generation}`);
export const allRevocations: Range<Revocation & Key<Revocation>> = { PK: PARTITIONS.REVOKED };

/** A session; its ID is a UUID version 7, which sorts by time. */
export const sessionKey = (username: string, id: string) =>
  key<SessionRecord>(partitionOf('SESSION', username), id);
/** The sessions of an account, newest first. */
export const sessionsOf = (username: string): Range<SessionRecord & Key<SessionRecord>> => ({
  PK: sessionKey(username, '').PK,
  descending: true,
});

/** Key of the end of a session, or of all sessions of a secret, by its ID. */
export const endedKey = (username: string, id: string) => key<EndedItem>(partitionOf('ENDED', username), id);

/** The entries in the calendar of token ends that are due on the UTC date of `day`, before a time. */
export const dueReminders = (day: number, time: number): Range<Reminder> => ({
  PK: `${PARTITIONS.EXPIRING}${dateOf(day)}`,
  before: isoOf(time),
});
/** Key in the calendar of token ends. @param due in ms since 1970 */
export const reminderKey = (due: number, username: string, name: string) =>
  key<Reminder>(dueReminders(due, due).PK, `${isoOf(due)}#${foldCase(username)}#${name}`);

/** Key of the account or token that a caller created with an `Idempotency-Key`; hashed, since clients may send any text. */
export const madeKey = (username: string, given: string) =>
  key<Made>(partitionOf('MADE', username), sha256(given).digest('hex'));

/** Attempts are stored under a hash, since a login may contain any name; it also spreads them evenly. */
const attemptsPartition = (name: string) => `${PARTITIONS.ATTEMPTS}${sha256(name).digest('hex')}`;

/** Attempts on a name from all addresses. */
export const attemptsOnNameKey = (username: string) =>
  key<LoginAttempts>(attemptsPartition(foldCase(username)), 'NAME');

/** Attempts on a name from one address. */
export const attemptsOfPairKey = (username: string, address: string) =>
  key<LoginAttempts>(attemptsPartition(foldCase(username)), `FROM#${address}`);

/** Attempts on a name, a list for each address. */
export const attemptsByAddress = (username: string): Range<LoginAttempts> => ({
  PK: attemptsOnNameKey(username).PK,
  prefix: 'FROM#',
});

/** Attempts on a name, of all addresses together first, then a list for each address. */
export const attemptsWithPassword = (username: string): Range<LoginAttempts & Key<LoginAttempts>> => ({
  PK: attemptsOnNameKey(username).PK,
  after: 'FROM#',
  before: attemptsOnNameKey(username).SK,
  descending: true,
});

/** Attempts from one address on all names. */
export const attemptsFromAddressKey = (address: string) =>
  key<LoginAttempts>(attemptsPartition(address), 'ADDRESS');

/** Attempts with a code on a name from one address. */
export const codeAttemptsOfPairKey = (username: string, address: string) =>
  key<LoginAttempts>(attemptsPartition(foldCase(username)), `CODE_FROM#${address}`);

/** Attempts with a code on a name, a list for each address. */
export const codeAttemptsByAddress = (username: string): Range<LoginAttempts> => ({
  PK: attemptsOnNameKey(username).PK,
  prefix: 'CODE_FROM#',
});

/** Attempts with a code from one address on all names. */
export const codeAttemptsFromAddressKey = (address: string) =>
  key<LoginAttempts>(attemptsPartition(address), 'CODE_ADDRESS');

/** Assertions of passkeys from one address. */
export const passkeyAttemptsFromAddressKey = (address: string) =>
  key<LoginAttempts>(attemptsPartition(address), 'PASSKEY_ADDRESS');

/** Key of a block in the list of all. @param address as in the key of its attempts */
export const blockKey = (address: string) => key<AddressBlock>(PARTITIONS.BLOCKS, address);
/** All blocks, also those that have ended and are not removed yet. */
export const allBlocks: Range<AddressBlock & Key<AddressBlock>> = { PK: PARTITIONS.BLOCKS };

export const teamKey = (short: string) => key<StoredTeam>(PARTITIONS.TEAMS, foldCase(short));
export const allTeams: Range<StoredTeam> = { PK: PARTITIONS.TEAMS };
/** The pass through all accounts that follow changes of teams. */
export const teamPassKey: Key<Pass> = { PK: PARTITIONS.FOLLOWING, SK: 'PASS' };

export const outboxKey = (id: string) => key<PendingEvent>(PARTITIONS.OUTBOX, id);
export const wholeOutbox: Range<PendingEvent> = { PK: PARTITIONS.OUTBOX };

const PUBLIC_KEY = 'PUBLIC#';
export const publicKeyItemKey = (kid: string) => key<PublicKeyItem>(PARTITIONS.KEYS, `${PUBLIC_KEY}${kid}`);
export const allPublicKeys: Range<PublicKeyItem> = { PK: PARTITIONS.KEYS, prefix: PUBLIC_KEY };
/** Key of a public key for other services, which no session is verified by. */
export const resourceKeyItemKey = (kid: string) =>
  key<PublicKeyItem>(PARTITIONS.RESOURCE_KEYS, `${PUBLIC_KEY}${kid}`);
export const allResourceKeys: Range<PublicKeyItem> = { PK: PARTITIONS.RESOURCE_KEYS, prefix: PUBLIC_KEY };
/** The secrets have partitions of their own, since every function may read the public keys. */
export const cursorSecretKey: Key<TableSecret> = { PK: PARTITIONS.CURSORS, SK: 'CURSOR' };
export const challengeSecretKey: Key<TableSecret> = { PK: PARTITIONS.CHALLENGES, SK: 'CHALLENGE' };

/** Key of a passkey. @param id SHA-256 of its credential ID, in base64url */
export const passkeyKey = (id: string) => key<Passkey>(`${PARTITIONS.PASSKEY}${id}`, 'PASSKEY');
/** Key of a challenge that was used, by its ID. */
export const spentKey = (id: string) => key<SpentChallenge>(`${PARTITIONS.SPENT}${id}`, 'SPENT');

/** Key of a trust of a machine. */
export const trustKey = (username: string, name: string) =>
  key<TrustItem>(partitionOf('TRUST', username), name);
/** The trusts of a machine, by name. */
export const trustsOf = (username: string): Range<TrustItem & Key<TrustItem>> => ({
  PK: partitionOf('TRUST', username),
});
/** Key of the keys of an issuer. @param issuer its identifier, as in its tokens */
export const issuerKey = (issuer: string) =>
  key<IssuerKeys>(`${PARTITIONS.ISSUER}${sha256(issuer).digest('hex')}`, 'KEYS');
/** Key of a token that an issuer gave for one use, and that was used. */
export const spentGrantKey = (issuer: string, jti: string) =>
  key<SpentGrant>(`${PARTITIONS.GRANT}${sha256(JSON.stringify([issuer, jti])).digest('hex')}`, 'SPENT');

/** Kinds of items that have a partition for each account. */
export type OwnKind = 'ACCOUNT' | 'SESSION' | 'ENDED' | 'MADE' | 'TRUST';
/** All items of a kind that belong to an account. */
export const itemsOf = (kind: OwnKind, username: string): Range<Key> => ({ PK: partitionOf(kind, username) });
/** All attempts on a name. An address that is written like the name has its own in the same partition. */
export const attemptsOn = (username: string): Range<Key> => ({ PK: attemptsOnNameKey(username).PK });
const OF_ADDRESS = ['ADDRESS', 'CODE_ADDRESS', 'PASSKEY_ADDRESS'];
export const isOfAddress = ({ SK }: Key) => OF_ADDRESS.includes(SK);
/** Whether a key is of an account itself. */
export const isAccount = ({ PK, SK }: Key) => PK.startsWith(PARTITIONS.ACCOUNT) && SK === 'ACCOUNT';

/** The kind of an item. */
export const kindOf = ({ PK }: Key) =>
  (Object.keys(PARTITIONS) as (keyof typeof PARTITIONS)[]).find((kind) => {
    const partition = PARTITIONS[kind];
    return partition.endsWith('#') ? PK.startsWith(partition) : PK === partition;
  });

/**
 * Where a key has the folded name of its account: a part of the partition, or of the sort key, between `#`; null if nowhere.
 * An erasure removes the items with the name of the person, and looks for attributes in the others (lib/erasure/traces.ts).
 */
const NAME_IN: Readonly<Record<keyof typeof PARTITIONS, readonly ['PK' | 'SK', number] | null>> = {
  ACCOUNT: ['PK', 1],
  PASSWORD: ['PK', 1],
  SESSION: ['PK', 1],
  ENDED: ['PK', 1],
  CODE: ['PK', 1],
  NAMES: ['PK', 1],
  MADE: ['PK', 1],
  ACTS: ['PK', 1],
  EXPORTS: ['PK', 1],
  REVOKED: ['SK', 0],
  CANCELLED: ['SK', 1],
  EXPIRING: ['SK', 1],
  TOKEN: null,
  ATTEMPTS: null,
  BLOCKS: null,
  TEAMS: null,
  OUTBOX: null,
  KEYS: null,
  RESOURCE_KEYS: null,
  CURSORS: null,
  PASSKEY: null,
  CHALLENGES: null,
  SPENT: null,
  STATS: null,
  SLICE: null,
  AUDIT: null,
  ERASED: null,
  ERASING: null,
  ERASURE_KEY: null,
  FOLLOWING: null,
  TRUST: ['PK', 1],
  ISSUER: null,
  GRANT: null,
};

/** The username of the account that an item belongs to, in lower case, if its key has it. */
export function nameInKey(key: Key): string | undefined {
  const kind = kindOf(key);
  const [part, index] = (kind && NAME_IN[kind]) ?? [];
  return part === undefined ? undefined : key[part].split('#')[index as number];
}

/** Key of an erased username. @param hash keyed, as {@link HashName} computes it */
export const erasedNameKey = (hash: string) => key<Erased>(`${PARTITIONS.ERASED}${hash}`, 'NAME');
/** Key of an erased account. @param id of the account */
export const erasedIdKey = (id: string) => key<Erased>(`${PARTITIONS.ERASED}${id.toLowerCase()}`, 'ID');
const ERASURE = 'ACCOUNT#';
/** Key of an erasure that is not complete. @param id of the account */
export const erasureKey = (id: string) => key<Erasure>(PARTITIONS.ERASING, `${ERASURE}${id}`);
/** The ID of the account in an {@link erasureKey}. */
export const idOfErasure = ({ SK }: Key<Erasure>) => SK.slice(ERASURE.length);
/** Key of what tells the erasure key of the table from another one; few functions may write it. */
export const erasureKeyCheckKey: Key<ErasureKeyCheck> = { PK: PARTITIONS.ERASURE_KEY, SK: 'CHECK' };
export const erasurePassKey: Key<Pass> = { PK: PARTITIONS.ERASING, SK: 'PASS' };
/** The erasures that are not complete, and their pass. */
export const wholeErasing: Range<(Erasure & Key<Erasure>) | (Pass & Key<Pass>)> = {
  PK: PARTITIONS.ERASING,
};

/** Key of the part of a counter to which an account belongs. */
export const counterKey = (counter: string, username: string) =>
  key<Counter>(PARTITIONS.STATS, `${counter}#${shardOf(username)}`);
/**
 * Number of items, each in a partition of its own, for counters that many accounts change at the same time. One
 * BatchGetItem reads them all.
 */
const SLICES = 64;

const sliceKeyOf = (slice: number) => key<Slice>(`${PARTITIONS.SLICE}${slice}`, 'SLICE');
export const sliceKey = (username: string) => sliceKeyOf((hashOf(username)[1] as number) % SLICES);
export const allSlices = Array.from({ length: SLICES }, (_, slice) => sliceKeyOf(slice));
export const passwordCostKey: Key<PasswordCost> = { PK: PARTITIONS.STATS, SK: 'PASSWORD_COST' };
export const allCounters: Range<Counter> = { PK: PARTITIONS.STATS };

/** A listing in GSI1 or in the table, spread over the partitions of its name. */
export interface Listing<Item = unknown> {
  readonly name: 'ACCOUNTS' | 'TOKENS' | 'CANCELLED' | 'TRUSTS';
  readonly index?: 'GSI1';
  readonly [ITEM]?: Item;
}

/** All accounts, sorted by lower-cased username. */
export const DIRECTORY: Listing<Account> = { name: 'ACCOUNTS', index: 'GSI1' };
/** All API tokens, sorted by lower-cased owner, then name. */
export const ALL_TOKENS: Listing<StoredToken> = { name: 'TOKENS', index: 'GSI1' };
/** All trusts, sorted by lower-cased machine, then name. */
export const ALL_TRUSTS: Listing<TrustItem> = { name: 'TRUSTS', index: 'GSI1' };
/** Cancelled accounts, sorted by the time of their cancellation, then by lower-cased username. */
export const CANCELLATIONS: Listing<Cancellation> = { name: 'CANCELLED' };

const listingPartition = ({ name }: Listing, shard: number) =>
  `${{ ...PARTITIONS, ...INDEX_PARTITIONS }[name]}${shard}`;

/** The partitions of a listing after a sort key. */
export const listingRanges = <Item>(
  { index, ...listing }: Listing<Item>,
  after: string | undefined,
): Range<Item>[] =>
  Array.from({ length: SHARDS }, (_, shard) => ({
    PK: listingPartition(listing, shard),
    ...(index ? { index } : {}),
    after,
  }));

/** The attribute by which a listing or range is sorted. */
export const sortKeyOf = ({ index }: Pick<Range, 'index'>) => `${index ?? ''}SK`;

/** The sort key of an item in its listing. */
export const positionIn = (listing: Listing, item: unknown) =>
  (item as Readonly<Record<string, string>>)[sortKeyOf(listing)] as string;

/** Key in {@link CANCELLATIONS}. @param cancelledAt ISO 8601 in UTC, ends in Z */
export const cancellationKey = (username: string, cancelledAt: string) =>
  key<Cancellation>(
    listingPartition(CANCELLATIONS, shardOf(username)),
    `${cancelledAt}#${foldCase(username)}`,
  );

/** Index keys of an account in the {@link DIRECTORY}. */
export const directoryIndex = (username: string) => ({
  GSI1PK: listingPartition(DIRECTORY, shardOf(username)),
  GSI1SK: foldCase(username),
});

/** Index keys of an API token in {@link ALL_TOKENS}. */
export const tokenIndex = (username: string, name: string) => ({
  GSI1PK: listingPartition(ALL_TOKENS, shardOf(username)),
  GSI1SK: `${foldCase(username)}#${name}`,
});
/** Index keys of a trust in {@link ALL_TRUSTS}. */
export const trustIndex = (username: string, name: string) => ({
  GSI1PK: listingPartition(ALL_TRUSTS, shardOf(username)),
  GSI1SK: `${foldCase(username)}#${name}`,
});
/** Whether listings contain a token: they omit a secret that a rotation has replaced, during the overlap. */
export const isIndexed = (token: object) => 'GSI1PK' in token;
/** The tokens of an account by name, from the index: changes of the last second may be missing. */
export const indexedTokens = (username: string): Range<StoredToken & Key<StoredToken>> => ({
  PK: listingPartition(ALL_TOKENS, shardOf(username)),
  index: 'GSI1',
  prefix: `${foldCase(username)}#`,
});

/** Two sort keys of audit entries, or times. */
export interface Bounds {
  readonly after: string;
  readonly before: string;
}
/** The entries of a month (`2026-11`) within bounds, newest first. */
export const auditRanges = (month: string, bounds: Bounds): Range<AuditItem>[] =>
  Array.from({ length: SHARDS }, (_, shard) => ({
    PK: `${PARTITIONS.AUDIT}${month}#${shard}`,
    descending: true,
    ...bounds,
  }));
/** What the entries about a subject are: refusals of others have a list of their own, so that they bury nothing. */
export type About = 'TARGETS' | 'REFUSALS';
/** Partition of the entries about an account and its tokens, or about another target. */
export const auditPartition = (subject: string, about: About = 'TARGETS') =>
  `${INDEX_PARTITIONS[about]}${foldCase(subject)}`;
/** The subject of an {@link auditPartition}, in lower case. */
export const subjectOf = (partition: string) => partition.slice(partition.indexOf('#') + 1);
/** The partition of the same list for another subject. */
export const auditPartitionLike = (partition: string | undefined, subject: string) =>
  auditPartition(subject, partition?.startsWith(INDEX_PARTITIONS.REFUSALS) ? 'REFUSALS' : 'TARGETS');
/** Its entries within bounds, newest first; those of the last second may be missing. */
export const auditRangeOf = (subject: string, bounds: Bounds, about?: About): Range<AuditItem> => ({
  PK: auditPartition(subject, about),
  index: 'GSI1',
  descending: true,
  ...bounds,
});
/** Key by which the entry of what an account did to another subject is found. @param entry key of the entry */
export const actKey = (actor: string, { SK }: Key<AuditItem>) => key<Act>(partitionOf('ACTS', actor), SK);
/** What an account did to other subjects within bounds, newest first. */
export const actsOf = (actor: string, bounds: Bounds): Range<Act & Key<Act>> => ({
  PK: partitionOf('ACTS', actor),
  descending: true,
  ...bounds,
});
/** The key of the entry of an {@link actKey}. */
export const entryKeyOf = ({ entry_in, SK }: Act & Key<Act>) => key<AuditItem>(entry_in, SK);

/** Key of the number of pages that a credential exports in a minute. @param minute ISO 8601, `2026-11-20T05:30` */
export const exportPagesKey = (username: string, credential: string, minute: string) =>
  key<ExportPages>(partitionOf('EXPORTS', username), `${minute}#${credential}`);
/**
 * Key of the audit entry of a line: the same for a line that is collected twice.
 *
 * @param time ISO 8601 in UTC, with milliseconds
 */
export function auditKey(time: string, line: string) {
  const hash = sha256(line).digest();
  const PK = `${PARTITIONS.AUDIT}${time.slice(0, 7)}#${(hash[31] as number) % SHARDS}`;
  return key<AuditItem>(PK, `${time}#${hash.toString('base64url').slice(0, 22)}`);
}
/** The bound that excludes an entry and all newer ones: no other entry has the same time and 126 bits of the hash. */
export const beforeEntry = ({ SK }: Pick<AuditItem, 'SK'>) => SK.slice(0, -1);
/** Index keys of an audit entry with a target: its account, or what else it is about. */
export const auditIndex = (subject: string, { SK }: Key, about?: About) => ({
  GSI1PK: auditPartition(subject, about),
  GSI1SK: SK,
});
