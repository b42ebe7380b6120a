import {
  accountKey,
  attemptsFromAddressKey,
  attemptsOfPairKey,
  attemptsOnNameKey,
  auditKey,
  cancellationKey,
  codeKey,
  counterKey,
  cursorSecretKey,
  formerTokenNameKey,
  type Key,
  madeKey,
  outboxKey,
  passwordCostKey,
  passwordKey,
  propertiesKey,
  publicKeyItemKey,
  reminderKey,
  SHARDS,
  sessionKey,
  sliceKey,
  teamKey,
  tokenKey,
  tokenNameKey,
} from './keys.ts';

/** A kind of item: its description, its key with placeholders in angle brackets, and its use in indexes. */
export interface Entity {
  readonly item: string;
  readonly key: Key;
  readonly index?: string;
}

const username = '<username>';

/** The entity chart: every kind of item of the table. The README of this folder shows it. */
export const CHART: readonly Entity[] = [
  {
    item: 'account, its roles, teams and apps',
    key: accountKey(username),
    index: `GSI1: the directory, in ${SHARDS} shards`,
  },
  { item: 'password hash', key: passwordKey(username) },
  { item: 'one-time code for a new password; expires', key: codeKey(username) },
  { item: 'custom properties', key: propertiesKey(username) },
  { item: 'name of a token; may expire', key: tokenNameKey(username, '<name>') },
  {
    item: 'name of a token of an earlier version, empty when it is free again',
    key: formerTokenNameKey(username, '<name>'),
  },
  {
    item: 'account or token made with an `Idempotency-Key`, by its maker; expires',
    key: madeKey(username, '<key>'),
  },
  { item: 'session, for lists; expires', key: sessionKey(username, '<id>') },
  {
    item: 'API token; may expire',
    key: tokenKey('<sha256>'),
    index: `GSI1: all tokens, in ${SHARDS} shards`,
  },
  {
    item: 'end of a token to announce, by the date; expires',
    key: reminderKey(Date.UTC(2026, 10, 20), username, '<name>'),
  },
  { item: 'attempts to log in, by name; expire', key: attemptsOnNameKey(username) },
  { item: 'the same, by name and address; expire', key: attemptsOfPairKey(username, '<address>') },
  { item: 'the same, by address; expire', key: attemptsFromAddressKey('<address>') },
  {
    item: `cancelled account, by the time of it, in ${SHARDS} shards`,
    key: cancellationKey(username, '<cancelled_at>'),
  },
  {
    item: `audit entry, by its time, in ${SHARDS} shards a month; expires`,
    key: { PK: auditKey('2026-11', '').PK, SK: '<time>#<hash>' },
    index: 'GSI1: the entries of an account and its tokens, or of another target',
  },
  { item: 'team', key: teamKey('<short>') },
  { item: 'pending event', key: outboxKey('<id>') },
  { item: 'public key', key: publicKeyItemKey('<kid>') },
  { item: 'secret that signs cursors', key: cursorSecretKey },
  { item: 'highest cost of a password hash', key: passwordCostKey },
  { item: 'counter of accounts, one of its shards', key: counterKey('<counter>', username) },
  {
    item: 'days of the last activity, ends of lockouts: how many accounts, one slice',
    key: sliceKey(username),
  },
];
