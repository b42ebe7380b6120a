import { expect, test } from 'vitest';
import { idempotencyKey } from '#lib/idempotency/key';

const accepts = (key: string | undefined) => idempotencyKey().safeParse({ 'idempotency-key': key }).success;

test.each(['1', '!~', 'k'.repeat(255), undefined])('idempotencyKey accepts %j', (key) => {
  expect(accepts(key)).toBe(true);
});

test.each(['', 'k'.repeat(256), 'a b', ' a', 'a ', 'ä', 'a\n', '\x7f'])(
  'idempotencyKey refuses %j with its rule',
  (key) => {
    expect(accepts(key)).toBe(false);
    expect(idempotencyKey().safeParse({ 'idempotency-key': key }).error?.issues).toMatchObject([
      { message: 'Must be 1 to 255 visible characters of ASCII' },
    ]);
  },
);
