import { expect, test } from 'vitest';
import { API_USERNAME, isUsername, roleOrAppName, username } from '#lib/account/identifiers';
import { errorsOf } from '../support/errors-of.ts';

const INVALID = ['', ' ', 'a b', 'a\u200bb', '#a', '[a', 'a]', 'ä', 'a/b', '\u212a'];
const SURROUNDED = [' a', 'a ', 'a\n'];

test('tokens are presented under the name api', () => {
  expect(API_USERNAME).toBe('api');
});

test('a username has 1 to 128 letters, digits or . _ @ + -', () => {
  const message = 'Must be 1 to 128 letters, digits or . _ @ + -';
  for (const text of ['a', 'x'.repeat(128), 'AZaz09._@+-', '.', '-', '0'])
    expect([text, errorsOf(username(), text), isUsername(text)]).toEqual([text, [], true]);
  const refused = [[{ field: 'body', message }], false];
  for (const text of [...INVALID, 'x'.repeat(129)])
    expect([errorsOf(username(), text), isUsername(text)], text).toEqual(refused);
});

test('a username is read without white space around it, with which no account has one', () => {
  for (const text of SURROUNDED) expect([username().parse(text), isUsername(text)]).toEqual(['a', false]);
});

test('the name of a role or an application has 1 to 64 letters, digits or . _ -', () => {
  const message = 'Must be 1 to 64 letters, digits or . _ -';
  for (const text of ['a', 'x'.repeat(64), 'AZaz09_.-', '.', '-'])
    expect([text, errorsOf(roleOrAppName(), text)]).toEqual([text, []]);
  for (const text of [...INVALID, ...SURROUNDED, 'x'.repeat(65), 'a@b'])
    expect([text, errorsOf(roleOrAppName(), text)]).toEqual([text, [{ field: 'body', message }]]);
});
