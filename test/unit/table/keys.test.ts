import { describe, expect, test } from 'vitest';
import * as keys from '#lib/table/keys';

const all: Record<string, keys.Key> = {
  account: keys.accountKey('ada'),
  password: keys.passwordKey('ada'),
  'password of old': keys.formerPasswordKey('ada'),
  properties: keys.propertiesKey('ada'),
  'token name': keys.tokenNameKey('ada', 'ada'),
  'token of the name ACCOUNT': keys.tokenNameKey('ada', 'ACCOUNT'),
  token: keys.tokenKey('ada'),
  'attempts on a name': keys.attemptsOnNameKey('ada'),
  'attempts of a pair': keys.attemptsOfPairKey('ada', '192.0.2.1'),
  'attempts of an address called as a name': keys.attemptsFromAddressKey('ada'),
  team: keys.teamKey('ada'),
  'pending event': keys.outboxKey('ada'),
  'public key': keys.publicKeyItemKey('ada'),
  'public key called CURSOR': keys.publicKeyItemKey('CURSOR'),
  'cursor key': keys.cursorSecretKey,
  counter: keys.counterKey('COUNT', 'ada'),
  'another counter': keys.counterKey('LOCKED', 'ada'),
  'another account': keys.accountKey('grace'),
};

test('no two items share a key', () => {
  const texts = Object.values(all).map(({ PK, SK }) => JSON.stringify([PK, SK]));
  expect(new Set(texts).size).toBe(texts.length);
});

test('every key fits DynamoDB, with the longest names there are', () => {
  const longest = 'x'.repeat(128);
  const { PK, SK } = keys.tokenNameKey(longest, longest);
  const { GSI1PK, GSI1SK } = keys.tokenIndex(longest, longest);
  for (const partition of [PK, GSI1PK]) expect(Buffer.byteLength(partition)).toBeLessThanOrEqual(2048);
  for (const sort of [SK, GSI1SK]) expect(Buffer.byteLength(sort)).toBeLessThanOrEqual(1024);
});

describe('usernames are keys without regard to case', () => {
  test.each([
    ['account', keys.accountKey],
    ['password', keys.passwordKey],
    ['password of old', keys.formerPasswordKey],
    ['properties', keys.propertiesKey],
    ['attempts on a name', keys.attemptsOnNameKey],
    ['attempts of a pair', (name: string) => keys.attemptsOfPairKey(name, '::1')],
    ['token names', (name: string) => keys.tokenNameKey(name, 't')],
    ['range of token names', keys.tokenNames],
    ['counter', (name: string) => keys.counterKey('COUNT', name)],
    ['directory', keys.directoryIndex],
    ['token listing', (name: string) => keys.tokenIndex(name, 't')],
    ['team', keys.teamKey],
  ] as const)('%s', (_name, build) => {
    expect(build('Ada.Lovelace@Example.COM')).toEqual(build('ada.lovelace@example.com'));
    expect(build('ada')).not.toEqual(build('adb'));
  });
});

test('a name that only looks alike in lower case is another name', () => {
  expect(keys.attemptsOnNameKey('\u212aim')).not.toEqual(keys.attemptsOnNameKey('kim'));
});

test('token names are told apart by case', () => {
  expect(keys.tokenNameKey('ada', 'CI')).not.toEqual(keys.tokenNameKey('ada', 'ci'));
});

test('a range of token names holds the tokens of an account, and not its other items', () => {
  const { PK, prefix } = keys.tokenNames('ada');
  const within = (key: keys.Key) => key.PK === PK && key.SK.startsWith(prefix as string);
  expect(within(keys.tokenNameKey('ADA', 'x'))).toBe(true);
  for (const key of [
    keys.accountKey('ada'),
    keys.formerPasswordKey('ada'),
    keys.propertiesKey('ada'),
    keys.tokenNameKey('adab', 'x'),
  ])
    expect(within(key)).toBe(false);
});

test('the key of attempts does not hold what somebody typed', () => {
  const typed = 'correct horse battery staple';
  expect(JSON.stringify(keys.attemptsOnNameKey(typed))).not.toContain('horse');
});

describe('a listing', () => {
  const names = Array.from({ length: 2000 }, (_, index) => `user${index}`);

  test('finds every account and token in one of its partitions', () => {
    const accounts = new Set(keys.listingRanges(keys.DIRECTORY, undefined).map(({ PK }) => PK));
    const tokens = new Set(keys.listingRanges(keys.ALL_TOKENS, undefined).map(({ PK }) => PK));
    expect([accounts.size, tokens.size]).toEqual([keys.SHARDS, keys.SHARDS]);
    for (const name of names) {
      expect(accounts.has(keys.directoryIndex(name).GSI1PK)).toBe(true);
      expect(tokens.has(keys.tokenIndex(name, 't').GSI1PK)).toBe(true);
    }
  });

  test('is spread evenly over them', () => {
    const sizes = new Map<string, number>();
    for (const name of names) {
      const { GSI1PK } = keys.directoryIndex(name);
      sizes.set(GSI1PK, (sizes.get(GSI1PK) ?? 0) + 1);
    }
    for (const size of sizes.values()) expect(Math.abs(size - names.length / keys.SHARDS)).toBeLessThan(75);
  });

  test('sorts tokens by owner, then name, also where one username begins with another', () => {
    const order = [
      ['ada', 'z'],
      ['ada+1', 'a'],
      ['ada-1', 'a'],
      ['ada.1', 'a'],
      ['ada1', 'a'],
      ['ada@x', 'a'],
      ['adaa', 'a'],
      ['Adb', 'a'],
    ].map(([owner = '', name = '']) => keys.tokenIndex(owner, name).GSI1SK);
    expect([...order].sort()).toEqual(order);
  });
});
