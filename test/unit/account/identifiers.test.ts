import { describe, expect, test } from 'vitest';
import { API_USERNAME, isUsername, roleOrAppName, username } from '#lib/account/identifiers';
import { errorsOf } from '../support/errors-of.ts';

const USERNAME = 'Must be 1 to 128 letters, digits or . _ @ + -';
const NAME = 'Must be 1 to 64 letters, digits or _ . -';

test('tokens are presented as api', () => {
  expect(API_USERNAME).toBe('api');
});

describe('a username', () => {
  test.each(['a', 'x'.repeat(128), 'AZaz09._@+-', '.', '-', '0'])('may be %s', (text) => {
    expect(errorsOf(username(), text)).toEqual([]);
    expect(isUsername(text)).toBe(true);
  });

  test.each(['', 'x'.repeat(129), 'a b', ' a', 'a ', 'a\n', '#a', 'a#', 'ä', 'a/b', '\u212a'])(
    'may not be %j',
    (text) => {
      expect(errorsOf(username(), text)).toEqual([{ field: 'body', message: USERNAME }]);
      expect(isUsername(text)).toBe(false);
    },
  );
});

describe('the name of a role or an application', () => {
  test.each(['a', 'x'.repeat(64), 'AZaz09_.-', '.', '-'])('may be %s', (text) => {
    expect(errorsOf(roleOrAppName(), text)).toEqual([]);
  });

  test.each(['', 'x'.repeat(65), 'a b', ' a', 'a ', 'a\n', '[a', 'a]', 'a@b', 'ä'])(
    'may not be %j',
    (text) => {
      expect(errorsOf(roleOrAppName(), text)).toEqual([{ field: 'body', message: NAME }]);
    },
  );
});
