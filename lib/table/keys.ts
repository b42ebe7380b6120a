import { createHash } from 'node:crypto';

/**
 * Every key of the table.
 *
 * | item            | PK                          | SK                | index                                       |
 * |-----------------|-----------------------------|-------------------|---------------------------------------------|
 * | account         | `ACCOUNT#<username>`        | `ACCOUNT`         | GSI1 `ACCOUNTS#<shard>` / `<username>`      |
 * |                 |                             |                   | GSI2 `LOCKOUTS` / lockoutend, temporary only|
 * | password        | `ACCOUNT#<username>`        | `PASSWORD`        |                                             |
 * | user_properties | `ACCOUNT#<username>`        | `PROPERTIES`      |                                             |
 * | token name      | `ACCOUNT#<username>`        | `TOKEN#<name>`    |                                             |
 * | API token       | `TOKEN#<sha256 of secret>`  | `TOKEN`           | GSI1 `TOKENS#<shard>` / `<username>#<name>` |
 * | tries to log in | `TRIES#<sha256 of name>`    | `*`, `FROM#<ip>`  |                                             |
 * | team            | `TEAMS`                     | `<short>`         |                                             |
 * | pending event   | `OUTBOX`                    | `<event id>`      |                                             |
 * | public key      | `KEYS`                      | `PUBLIC#<kid>`    |                                             |
 * | cursor key      | `KEYS`                      | `CURSOR`          |                                             |
 * | counter         | `STATS`                     | `<name>#<shard>`  |                                             |
 *
 * Usernames and team shorts stand in lower case, since they are unique without regard to case. The password
 * hash and the free-form properties have items of their own, so that what every request reads stays small.
 */
export interface Key {
  readonly PK: string;
  readonly SK: string;
}

/** Usernames and shorts are of ASCII: what merely looks alike in lower case, as the Kelvin sign does, stays apart. */
export const foldCase = (name: string) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Both listings and counters are spread over this many partitions or items by a hash of the username. */
export const SHARDS = 8;

const shardOf = (username: string) =>
  (createHash('sha256').update(foldCase(username)).digest()[0] as number) % SHARDS;

const accountPartition = (username: string) => `ACCOUNT#${foldCase(username)}`;

export const accountKey = (username: string): Key => ({ PK: accountPartition(username), SK: 'ACCOUNT' });
export const passwordKey = (username: string): Key => ({ PK: accountPartition(username), SK: 'PASSWORD' });
export const propertiesKey = (username: string): Key => ({
  PK: accountPartition(username),
  SK: 'PROPERTIES',
});

const TOKEN_NAME = 'TOKEN#';
export const tokenNameKey = (username: string, name: string): Key => ({
  PK: accountPartition(username),
  SK: `${TOKEN_NAME}${name}`,
});
/** All token names of an account. */
export const tokenNames = (username: string) => ({ PK: accountPartition(username), prefix: TOKEN_NAME });
export const tokenKey = (sha256: string): Key => ({ PK: `TOKEN#${sha256}`, SK: 'TOKEN' });

/** Tries are kept under a hash, because a login may name anything at all. */
const triesPartition = (username: string) => `TRIES#${sha256(foldCase(username))}`;

/** The tries of an account that failures can lock, from wherever they come. */
export const triesKey = (username: string): Key => ({ PK: triesPartition(username), SK: '*' });

/** The tries from one address of a name that no failure locks: it may come to any number of addresses. */
export const triesFromKey = (username: string, address: string): Key => ({
  PK: triesPartition(username),
  SK: `FROM#${address}`,
});

export const TEAMS = 'TEAMS';
export const teamKey = (short: string): Key => ({ PK: TEAMS, SK: foldCase(short) });

export const OUTBOX = 'OUTBOX';
export const outboxKey = (id: string): Key => ({ PK: OUTBOX, SK: id });

const KEYS = 'KEYS';
const PUBLIC_KEY = 'PUBLIC#';
export const publicKeyKey = (kid: string): Key => ({ PK: KEYS, SK: `${PUBLIC_KEY}${kid}` });
export const publicKeys = { PK: KEYS, prefix: PUBLIC_KEY };
export const cursorKeyKey: Key = { PK: KEYS, SK: 'CURSOR' };

export const STATS = 'STATS';
export const statsKey = (counter: string, username: string): Key => ({
  PK: STATS,
  SK: `${counter}#${shardOf(username)}`,
});

/** Index keys of an account: the directory, sorted by lower-cased username. */
export const directoryIndex = (username: string) => ({
  GSI1PK: `ACCOUNTS#${shardOf(username)}`,
  GSI1SK: foldCase(username),
});

/** Index keys of an API token: all tokens, sorted by lower-cased owner, then name. */
export const tokenIndex = (username: string, name: string) => ({
  GSI1PK: `TOKENS#${shardOf(username)}`,
  GSI1SK: `${foldCase(username)}#${name}`,
});

/** The partitions of a listing in GSI1. */
export const listingPartitions = (listing: 'ACCOUNTS' | 'TOKENS') =>
  Array.from({ length: SHARDS }, (_, shard) => `${listing}#${shard}`);

export const LOCKOUTS = 'LOCKOUTS';
/** Index keys of an account that is locked for a time: sorted by the end of the lockout. */
export const lockoutIndex = (lockoutend: string) => ({ GSI2PK: LOCKOUTS, GSI2SK: lockoutend });
