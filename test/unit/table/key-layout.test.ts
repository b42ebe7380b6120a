import { expect, test } from 'vitest';
import * as keys from '#lib/table/keys';

/** SHA-256 of `ada`. */
const HASH = 'fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029';

test.each<[string, keys.Key, string, string]>([
  ['an account', keys.accountKey('Ada'), 'ACCOUNT#ada', 'ACCOUNT'],
  ['a password', keys.passwordKey('Ada'), 'PASSWORD#ada', 'PASSWORD'],
  ['a password of old', keys.formerPasswordKey('Ada'), 'ACCOUNT#ada', 'PASSWORD'],
  ['properties', keys.propertiesKey('Ada'), 'ACCOUNT#ada', 'PROPERTIES'],
  ['the name of a token', keys.tokenNameKey('Ada', 'CI'), 'ACCOUNT#ada', 'TOKEN#CI'],
  ['a token', keys.tokenKey('Hash'), 'TOKEN#Hash', 'TOKEN'],
  ['what a key has made', keys.madeTokenKey('Ada', 'ada'), 'ACCOUNT#ada', `MADE#${HASH}`],
  ['attempts on a name', keys.attemptsOnNameKey('Ada'), `ATTEMPTS#${HASH}`, 'NAME'],
  ['attempts of a pair', keys.attemptsOfPairKey('Ada', '::1'), `ATTEMPTS#${HASH}`, 'FROM#::1'],
  ['attempts of an address', keys.attemptsFromAddressKey('ada'), `ATTEMPTS#${HASH}`, 'ADDRESS'],
  ['a team', keys.teamKey('Core'), 'TEAMS', 'core'],
  ['a pending event', keys.outboxKey('Id'), 'OUTBOX', 'Id'],
  ['a public key', keys.publicKeyItemKey('Kid'), 'KEYS', 'PUBLIC#Kid'],
  ['the secret of cursors', keys.cursorSecretKey, 'KEYS', 'CURSOR'],
  ['the cost of passwords', keys.passwordCostKey, 'STATS', 'PASSWORD_COST'],
  ['a counter', keys.counterKey('COUNT', 'Ada'), 'STATS', 'COUNT#5'],
  ['a slice of counters', keys.sliceKey('Ada'), 'SLICE#46', 'SLICE'],
  ['a counter, another shard', keys.counterKey('COUNT', 'grace'), 'STATS', 'COUNT#0'],
])('%s stands where earlier versions have put it', (_what, key, PK, SK) => {
  expect(key).toEqual({ PK, SK });
});

test.each<[string, object, object]>([
  ['an account in the directory', keys.directoryIndex('Ada'), { GSI1PK: 'ACCOUNTS#5', GSI1SK: 'ada' }],
  ['a token among all tokens', keys.tokenIndex('Grace', 'CI'), { GSI1PK: 'TOKENS#0', GSI1SK: 'grace#CI' }],
])('%s is indexed where earlier versions have put it', (_what, index, expected) => {
  expect(index).toEqual(expected);
});

test.each<[string, keys.Range, keys.Range]>([
  ['the tokens of an account', keys.tokenNames('Ada'), { PK: 'ACCOUNT#ada', prefix: 'TOKEN#' }],
  ['all teams', keys.allTeams, { PK: 'TEAMS' }],
  ['the outbox', keys.wholeOutbox, { PK: 'OUTBOX' }],
  ['all public keys', keys.allPublicKeys, { PK: 'KEYS', prefix: 'PUBLIC#' }],
  ['all counters', keys.allCounters, { PK: 'STATS' }],
])('%s are read as a range', (_what, range, expected) => {
  expect(range).toEqual(expected);
});

test.each<[string, keys.Listing]>([
  ['ACCOUNTS', keys.DIRECTORY],
  ['TOKENS', keys.ALL_TOKENS],
])('a listing of %s is read from eight partitions of the first index', (name, listing) => {
  const shards = ['0', '1', '2', '3', '4', '5', '6', '7'];
  expect(keys.listingRanges(listing, 'ada')).toEqual(
    shards.map((shard) => ({ PK: `${name}#${shard}`, index: 'GSI1', after: 'ada' })),
  );
});

test.each([
  ['ABC', 'abc'],
  ['Ada.LOVELACE@x-Y9', 'ada.lovelace@x-y9'],
  ['aZz', 'azz'],
  ['\u212a\u0130\u00c4', '\u212a\u0130\u00c4'],
])('%s folds to %s: letters of ASCII only', (name, folded) => {
  expect(keys.foldCase(name)).toBe(folded);
});
