import { expect, test } from 'vitest';
import { API_USERNAME, isUsername, roleOrAppName, username } from '#lib/account/identifiers';
import { errorsOf } from '../support/errors-of.ts';

const REFUSED = [{ field: 'body', message: 'Must be 1 to 128 letters, digits or . _ @ + -' }];
const REFUSED_NAME = [{ field: 'body', message: 'Must be 1 to 64 letters, digits or _ . -' }];

test('tokens are presented under the name api', () => {
  expect(API_USERNAME).toBe('api');
});

test.each<[string, boolean]>([
  ...['a', 'x'.repeat(128), 'AZaz09._@+-', '.', '-', '0'].map((text): [string, boolean] => [text, true]),
  ...['', 'x'.repeat(129), 'a b', ' a', 'a ', 'a\n', '#a', 'a#', 'ä', 'a/b', '\u212a'].map(
    (text): [string, boolean] => [text, false],
  ),
])('%j is a username: %j', (text, isValid) => {
  expect(errorsOf(username(), text)).toEqual(isValid ? [] : REFUSED);
  expect(isUsername(text)).toBe(isValid);
});

test.each(['a', 'x'.repeat(64), 'AZaz09_.-', '.', '-'])('%s is the name of a role or application', (text) => {
  expect(errorsOf(roleOrAppName(), text)).toEqual([]);
});

test.each(['', 'x'.repeat(65), 'a b', ' a', 'a ', 'a\n', '[a', 'a]', 'a@b', 'ä'])(
  '%j is no name of a role or application',
  (text) => {
    expect(errorsOf(roleOrAppName(), text)).toEqual(REFUSED_NAME);
  },
);
