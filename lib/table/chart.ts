import {
  accountKey,
  attemptsFromAddressKey,
  attemptsOfPairKey,
  attemptsOnNameKey,
  cancellationKey,
  counterKey,
  cursorSecretKey,
  formerPasswordKey,
  type Key,
  madeTokenKey,
  outboxKey,
  passwordCostKey,
  passwordKey,
  propertiesKey,
  publicKeyItemKey,
  SHARDS,
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
  { item: 'password hash of an earlier version, until it is moved', key: formerPasswordKey(username) },
  { item: 'custom properties', key: propertiesKey(username) },
  { item: 'name of a token', key: tokenNameKey(username, '<name>') },
  {
    item: 'token made with an `Idempotency-Key`, by its maker; expires',
    key: madeTokenKey(username, '<key>'),
  },
  { item: 'API token', key: tokenKey('<sha256>'), index: `GSI1: all tokens, in ${SHARDS} shards` },
  { item: 'attempts to log in, by name; expire', key: attemptsOnNameKey(username) },
  { item: 'the same, by name and address; expire', key: attemptsOfPairKey(username, '<address>') },
  { item: 'the same, by address; expire', key: attemptsFromAddressKey('<address>') },
  {
    item: `cancelled account, by the time of it, in ${SHARDS} shards`,
    key: cancellationKey(username, '<cancelled_at>'),
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
