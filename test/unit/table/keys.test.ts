import { expect, test } from 'vitest';
import * as keys from '#lib/table/keys';
import { foldCase } from '#lib/text/fold-case';

/** SHA-256 of `ada`. */
const HASH = 'fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029';

/** Each kind of key, as stored; keys of items that people keep never change. */
const STORED: [item: string, key: keys.Key, PK: string, SK: string][] = [
  ['an account', keys.accountKey('Ada'), 'ACCOUNT#ada', 'ACCOUNT'],
  ['a password', keys.passwordKey('Ada'), 'PASSWORD#ada', 'PASSWORD'],
  ['properties', keys.propertiesKey('Ada'), 'ACCOUNT#ada', 'PROPERTIES'],
  ['a token name', keys.tokenNameKey('Ada', 'CI'), 'NAMES#ada', 'TOKEN#CI'],
  ['a token name in lower case', keys.tokenNameKey('Ada', 'ci'), 'NAMES#ada', 'TOKEN#ci'],
  ['the token name ACCOUNT', keys.tokenNameKey('Ada', 'ACCOUNT'), 'NAMES#ada', 'TOKEN#ACCOUNT'],
  ['a token name of earlier versions', keys.formerTokenNameKey('Ada', 'CI'), 'ACCOUNT#ada', 'TOKEN#CI'],
  [
    'the end of a token',
    keys.reminderKey(Date.UTC(2026, 10, 20, 1, 2, 3, 4), 'Ada', 'CI'),
    'EXPIRING#2026-11-20',
    '2026-11-20T01:02:03.004Z#ada#CI',
  ],
  ['a token', keys.tokenKey('Hash'), 'TOKEN#Hash', 'TOKEN'],
  ['a token by Idempotency-Key', keys.madeKey('Ada', 'ada'), 'MADE#ada', HASH],
  ['attempts on a name', keys.attemptsOnNameKey('Ada'), `ATTEMPTS#${HASH}`, 'NAME'],
  ['attempts of a pair', keys.attemptsOfPairKey('Ada', '::1'), `ATTEMPTS#${HASH}`, 'FROM#::1'],
  ['attempts of an address', keys.attemptsFromAddressKey('ada'), `ATTEMPTS#${HASH}`, 'ADDRESS'],
  ['codes of a pair', keys.codeAttemptsOfPairKey('Ada', '::1'), `ATTEMPTS#${HASH}`, 'CODE_FROM#::1'],
  ['codes of an address', keys.codeAttemptsFromAddressKey('ada'), `ATTEMPTS#${HASH}`, 'CODE_ADDRESS'],
  ['a block of an address', keys.blockKey('192.0.2.1'), 'BLOCKS', '192.0.2.1'],
  ['a cancellation', keys.cancellationKey('Ada', '2026-11-20'), 'CANCELLED#5', '2026-11-20#ada'],
  ['an audit entry', keys.auditKey('2026-11', 'ada'), 'AUDIT#2026-11#1', '2026-11#_e5DDUC9V97qwYbNl5ADPQ'],
  ['a team', keys.teamKey('Core'), 'TEAMS', 'core'],
  ['a one-time code', keys.codeKey('Ada'), 'CODE#ada', 'CODE'],
  ['a session', keys.sessionKey('Ada', 'Id'), 'SESSION#ada', 'Id'],
  ['the end of a session', keys.endedKey('Ada', 'Id'), 'ENDED#ada', 'Id'],
  ['a pending event', keys.outboxKey('Id'), 'OUTBOX', 'Id'],
  ['a public key', keys.publicKeyItemKey('Kid'), 'KEYS', 'PUBLIC#Kid'],
  ['a public key for other services', keys.resourceKeyItemKey('Kid'), 'RESOURCE_KEYS', 'PUBLIC#Kid'],
  ['the public key CURSOR', keys.publicKeyItemKey('CURSOR'), 'KEYS', 'PUBLIC#CURSOR'],
  ['the secret of cursors', keys.cursorSecretKey, 'CURSORS', 'CURSOR'],
  ['the secret of challenges', keys.challengeSecretKey, 'CHALLENGES', 'CHALLENGE'],
  ['a passkey', keys.passkeyKey('Id'), 'PASSKEY#Id', 'PASSKEY'],
  ['a used challenge', keys.spentKey('Id'), 'SPENT#Id', 'SPENT'],
  [
    'a spent token of an issuer',
    keys.spentGrantKey('https://issuer.example', 'Id'),
    'GRANT#a064d890cae1075510c557fa9ecbf59ddcdff8a9408eec2b930747e0f1461589',
    'SPENT',
  ],
  [
    'assertions of an address',
    keys.passkeyAttemptsFromAddressKey('ada'),
    `ATTEMPTS#${HASH}`,
    'PASSKEY_ADDRESS',
  ],
  ['the cost of passwords', keys.passwordCostKey, 'STATS', 'PASSWORD_COST'],
  ['a counter', keys.counterKey('COUNT', 'Ada'), 'STATS', 'COUNT#5'],
  ['another counter', keys.counterKey('LOCKED', 'Ada'), 'STATS', 'LOCKED#5'],
  ['a counter in another shard', keys.counterKey('COUNT', 'grace'), 'STATS', 'COUNT#0'],
  ['a slice of counters', keys.sliceKey('Ada'), 'SLICE#46', 'SLICE'],
];

test.each(STORED)('the key of %s stays the same', (_item, key, PK, SK) => {
  expect(key).toEqual({ PK, SK });
});

test.each<[string, object, object]>([
  ['an account in the directory', keys.directoryIndex('Ada'), { GSI1PK: 'ACCOUNTS#5', GSI1SK: 'ada' }],
  ['a token in the index', keys.tokenIndex('Grace', 'CI'), { GSI1PK: 'TOKENS#0', GSI1SK: 'grace#CI' }],
  ['the token names of an account', keys.tokenNames('Ada'), { PK: 'NAMES#ada', prefix: 'TOKEN#' }],
  ['all public keys', keys.allPublicKeys, { PK: 'KEYS', prefix: 'PUBLIC#' }],
  ['all public keys for other services', keys.allResourceKeys, { PK: 'RESOURCE_KEYS', prefix: 'PUBLIC#' }],
])('the place of %s is that of earlier versions', (_what, place, expected) => {
  expect(place).toEqual(expected);
});

test.each([
  ['ABC', 'abc'],
  ['Ada.LOVELACE@x-Y9', 'ada.lovelace@x-y9'],
  ['aZz', 'azz'],
  ['\u212a\u0130\u00c4', '\u212a\u0130\u00c4'],
])('foldCase turns %s into %s: letters of ASCII only', (name, folded) => {
  expect(foldCase(name)).toBe(folded);
  expect(keys.accountKey(name)).toEqual(keys.accountKey(folded));
});

test('a listing is spread evenly over its partitions', () => {
  const partitions = keys.listingRanges(keys.DIRECTORY, undefined).map(({ PK }) => PK);
  const names = Array.from({ length: 2000 }, (_, index) => `user${index}`);
  const counts = Map.groupBy(names, (name) => keys.directoryIndex(name).GSI1PK);
  expect([...counts.keys()].sort()).toEqual(partitions);
  for (const { length } of counts.values()) expect(Math.abs(length - names.length / 8)).toBeLessThan(75);
});

test('isOfAddress knows each list of an address, since a username may be one, and no list of a name', () => {
  const name = '192.0.2.1';
  const ofAddress = [
    keys.attemptsFromAddressKey(name),
    keys.codeAttemptsFromAddressKey(name),
    keys.passkeyAttemptsFromAddressKey(name),
  ];
  const ofName = [
    keys.attemptsOnNameKey(name),
    keys.attemptsOfPairKey(name, '::1'),
    keys.codeAttemptsOfPairKey(name, '::1'),
  ];
  const partition = keys.attemptsOn(name).PK;
  expect([...ofAddress, ...ofName].map(({ PK }) => PK)).toEqual(Array(6).fill(partition));
  expect(ofAddress.map(keys.isOfAddress)).toEqual([true, true, true]);
  expect(ofName.map(keys.isOfAddress)).toEqual([false, false, false]);
});
