import { describe, expect, test } from 'vitest';
import { redact } from '#lib/log/redact';

const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhLWJfYyJ9.c2ln-bmF0_dXJl';
const HASH = '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW';

describe('a text is redacted', () => {
  test.each([
    ['an API token', 'no cst_0aZ9xYq here', 'no [redacted] here'],
    ['an API token in quotes', '"cst_0aZ9","x"', '"[redacted]","x"'],
    ['two API tokens', 'cst_1,cst_2', '[redacted],[redacted]'],
    ['a JWT', `jwt ${JWT}, expired`, 'jwt [redacted], expired'],
    ['a JWT in a cookie', `session=${JWT}; Path=/`, 'session=[redacted]; Path=/'],
    ['a JWT of which one part is left', 'eyJhbGciOiJFUzI1NiJ9', '[redacted]'],
    ['a JWT that is cut short', JWT.slice(0, 40), '[redacted]'],
    ['two JWTs', `${JWT} ${JWT}`, '[redacted] [redacted]'],
    ['a password hash', `hash ${HASH} differs`, 'hash [redacted] differs'],
    ['a password hash of an older form', HASH.replace('$2b', '$2a'), '[redacted]'],
    ['a password hash as PHP writes it', HASH.replace('$2b', '$2y'), '[redacted]'],
    ['a password hash that is cut short', HASH.slice(0, 9), '[redacted]'],
    ['two password hashes', `${HASH}\n${HASH}`, '[redacted]\n[redacted]'],
    ['a private key', '{"kty":"EC","d":"aB-_9","x":"1"}', '{"kty":"EC",[redacted],"x":"1"}'],
    ['a private key with spaces', '{ "d" :  "aB-_9" }', '{ [redacted] }'],
    ['a private key that is cut short', '{"d":"aB-_', '{[redacted]'],
    ['two private keys', '[{"d":"1"},{"d":"2"}]', '[{[redacted]},{[redacted]}]'],
    ['a Basic header', 'Basic dXNlcjpwYXNz== was sent', '[redacted] was sent'],
    ['a Bearer header', "'Bearer a.b.c'", "'[redacted]'"],
    ['a Token header', '"Token abc", "x"', '"[redacted]", "x"'],
    ['a header in lower case', 'authorization: bearer   abc', 'authorization: [redacted]'],
    ['a header in upper case', 'BASIC abc,BEARER def', '[redacted],[redacted]'],
    ['a header over two lines', 'Bearer\n\tabc', '[redacted]'],
  ])('that holds %s', (_what, text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});

test.each([
  '',
  'The conditional request failed',
  'xcst_1',
  'cst_',
  'heyJude',
  '$2b$1',
  '$2c$12$abc',
  '{"id":"abc","d":1,"D":"x"}',
  'BearerOfNews, Tokens',
])('a text without credentials stays as it is: %j', (text) => {
  expect(redact(text)).toBe(text);
});

describe('a secret that was presented is redacted', () => {
  test('wherever it stands', () => {
    expect(redact('pass is not pass, nor passe', ['pass'])).toBe(
      '[redacted] is not [redacted], nor [redacted]e',
    );
  });

  test('each of several', () => {
    expect(redact('one-1 two-2 one-1', ['one-1', 'two-2'])).toBe('[redacted] [redacted] [redacted]');
  });

  test('as it is, and not as a pattern', () => {
    expect(redact('a.*b $& aXXb', ['a.*b', '$& a'])).toBe('[redacted] [redacted]XXb');
  });

  test('from four characters on, since fewer occur by chance', () => {
    expect(redact('abcd abc', ['abc'])).toBe('abcd abc');
    expect(redact('abcd abc', ['abcd'])).toBe('[redacted] abc');
    expect(redact('x', [''])).toBe('x');
  });

  test('beside what looks like a credential', () => {
    expect(redact('hunter2 cst_1', ['hunter2'])).toBe('[redacted] [redacted]');
  });
});
