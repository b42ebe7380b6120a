import * as keys from './keys.ts';

/** A kind of item: its description, its key with placeholders in angle brackets, and its use in indexes. */
export interface Entity {
  readonly item: string;
  readonly key: keys.Key;
  readonly index?: string;
}

const username = '<username>';

/** The entity chart: every kind of item of the table. The README of this folder shows it. */
export const CHART: readonly Entity[] = [
  {
    item: 'account, its roles, teams and apps',
    key: keys.accountKey(username),
    index: `GSI1: the directory, in ${keys.SHARDS} shards`,
  },
  { item: 'password hash', key: keys.passwordKey(username) },
  { item: 'one-time code for a new password; expires', key: keys.codeKey(username) },
  { item: 'custom properties', key: keys.propertiesKey(username) },
  { item: 'name of a token; may expire', key: keys.tokenNameKey(username, '<name>') },
  {
    item: 'name of a token of an earlier version, empty when it is free again',
    key: keys.formerTokenNameKey(username, '<name>'),
  },
  {
    item: 'account or token made with an `Idempotency-Key`, by its maker; expires',
    key: keys.madeKey(username, '<key>'),
  },
  { item: 'session, for lists; expires', key: keys.sessionKey(username, '<id>') },
  {
    item: 'API token; may expire',
    key: keys.tokenKey('<sha256>'),
    index: `GSI1: all tokens, in ${keys.SHARDS} shards`,
  },
  {
    item: 'end of a token to announce, by the date; expires',
    key: keys.reminderKey(Date.UTC(2026, 10, 20), username, '<name>'),
  },
  { item: 'attempts to log in, by name; expire', key: keys.attemptsOnNameKey(username) },
  { item: 'the same, by name and address; expire', key: keys.attemptsOfPairKey(username, '<address>') },
  { item: 'the same, by address; expire', key: keys.attemptsFromAddressKey('<address>') },
  {
    item: `cancelled account, by the time of it, in ${keys.SHARDS} shards`,
    key: keys.cancellationKey(username, '<cancelled_at>'),
  },
  {
    item: `audit entry, by its time, in ${keys.SHARDS} shards a month; expires`,
    key: { PK: keys.auditKey('2026-11', '').PK, SK: '<time>#<hash>' },
    index: 'GSI1: the entries of an account and its tokens, or of another target',
  },
  { item: 'team', key: keys.teamKey('<short>') },
  { item: 'pending event', key: keys.outboxKey('<id>') },
  { item: 'public key', key: keys.publicKeyItemKey('<kid>') },
  { item: 'secret that signs cursors', key: keys.cursorSecretKey },
  { item: 'highest cost of a password hash', key: keys.passwordCostKey },
  { item: 'counter of accounts, one of its shards', key: keys.counterKey('<counter>', username) },
  {
    item: 'days of the last activity, ends of lockouts: how many accounts, one slice',
    key: keys.sliceKey(username),
  },
];
