import { expect, test } from 'vitest';
import { hasCredential, redact } from '#lib/log/redact';

const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhLWJfYyJ9.c2ln-bmF0_dXJl';
const HASH = '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW';

test.each([
  ['an API token', 'no cst_0aZ9xYq here', 'no [redacted] here'],
  ['an API token in quotes', '"cst_0aZ9","x"', '"[redacted]","x"'],
  ['two API tokens', 'cst_1,cst_2', '[redacted],[redacted]'],
  ['a JWT', `jwt ${JWT}, expired`, 'jwt [redacted], expired'],
  ['a JWT in a cookie', `session=${JWT}; Path=/`, 'session=[redacted]; Path=/'],
  ['the first part of a JWT', 'eyJhbGciOiJFUzI1NiJ9', '[redacted]'],
  ['a truncated JWT', JWT.slice(0, 40), '[redacted]'],
  ['two JWTs', `${JWT} ${JWT}`, '[redacted] [redacted]'],
  ['a one-time code', 'code 0AJK-MN12-XYZ9, sent', 'code [redacted], sent'],
  ['a password hash', `hash ${HASH} differs`, 'hash [redacted] differs'],
  ['a password hash of an older form', HASH.replace('$2b', '$2a'), '[redacted]'],
  ['a password hash from PHP', HASH.replace('$2b', '$2y'), '[redacted]'],
  ['a truncated password hash', HASH.slice(0, 9), '[redacted]'],
  ['two password hashes', `${HASH}\n${HASH}`, '[redacted]\n[redacted]'],
  ['a private key', '{"kty":"EC","d":"aB-_9","x":"1"}', '{"kty":"EC",[redacted],"x":"1"}'],
  ['a private key with spaces', '{ "d" :  "aB-_9" }', '{ [redacted] }'],
  ['a truncated private key', '{"d":"aB-_', '{[redacted]'],
  ['two private keys', '[{"d":"1"},{"d":"2"}]', '[{[redacted]},{[redacted]}]'],
  ['a Basic header', 'Basic dXNlcjpwYXNz== was sent', '[redacted] was sent'],
  ['a Bearer header', "'Bearer a.b.c'", "'[redacted]'"],
  ['a Token header', '"Token abc", "x"', '"[redacted]", "x"'],
  ['a header in lower case', 'authorization: bearer   abc', 'authorization: [redacted]'],
  ['a header in upper case', 'BASIC abc,BEARER def', '[redacted],[redacted]'],
  ['a header over two lines', 'Bearer\n\tabc', '[redacted]'],
])('redact removes %s', (_what, text, redacted) => {
  expect(redact(text)).toBe(redacted);
});

test.each([
  [`cst_${'a1'.repeat(18)}`, true],
  [JWT.replaceAll('.', '-padding-.').concat('-padding-'), true],
  ['cst_ada', false],
  ['eyJohn.smith', false],
  ['eyJ.a.b', false],
  [`eyJ${'a'.repeat(16)}.${'b'.repeat(16)}.c`, false],
])('hasCredential(%j) is %j', (text, expected) => {
  expect(hasCredential(text)).toBe(expected);
});

const HARMLESS = [
  'INC-1234-5678-9012',
  '1234-5678-9012',
  'E29BAAAA-E29B-41D4-A716-446655440000',
  'over-time-pays',
  '',
  'The conditional request failed',
  'xcst_1',
  'cst_',
  'heyJude',
  '$2b$1',
  '$2c$12$abc',
];

test.each([...HARMLESS, '{"id":"abc","d":1,"D":"x"}', 'BearerOfNews, Tokens'])(
  'redact keeps a text without credentials: %j',
  (text) => {
    expect(redact(text)).toBe(text);
  },
);

test.each<[string, string, string[], string]>([
  ['everywhere', 'pass is not passe', ['pass'], '[redacted] is not [redacted]e'],
  ['and each other one', 'one-1 two-2 one-1', ['one-1', 'two-2'], '[redacted] [redacted] [redacted]'],
  ['literally', 'a.*b $& aXXb', ['a.*b', '$& a'], '[redacted] [redacted]XXb'],
  ['in addition to credentials', 'hunter2 cst_1', ['hunter2'], '[redacted] [redacted]'],
  ['of four characters', 'abcd abc', ['abcd'], '[redacted] abc'],
  ['unless it has three characters', 'abcd abc', ['abc'], 'abcd abc'],
  ['unless it is empty', 'x', [''], 'x'],
])('redact removes a secret of the request %s', (_what, text, secrets, redacted) => {
  expect(redact(text, secrets)).toBe(redacted);
});
