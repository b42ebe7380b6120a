import { expect, expectTypeOf, test } from 'vitest';
import { ATTRIBUTES, type WriteAttributes } from '#lib/contract/attributes';
import { filledIn } from '#lib/item/fields';

test.each(['ACCOUNT:create', 'ACCOUNT:profile'] as const)(
  'the write %s may name every field that people fill in',
  (write) => {
    expect(ATTRIBUTES[write]).toEqual(expect.arrayContaining(Object.keys(filledIn().shape)));
  },
);

const limit = (limits: WriteAttributes) => limits;

test('the compiler refuses an attribute that no item of the kind has', () => {
  expectTypeOf(ATTRIBUTES).toExtend<WriteAttributes>();
  limit({
    'ACCOUNT:lock': ['isactive'],
    // @ts-expect-error: the attribute is `isactive`
    'ACCOUNT:unlock': ['isActive'],
    // @ts-expect-error: only tokens have a description
    'ACCOUNT:cancel': ['stamp', 'description'],
    // @ts-expect-error: the index has no such key
    'TOKEN:create': ['GSI1PK', 'GSI3PK'],
    // @ts-expect-error: the attribute is `secret`
    CURSORS: ['secrets'],
  });
});

test('the compiler refuses a pattern except those of counters, and `*` alone', () => {
  limit({
    'SLICE:active': ['active:*', 'until:*'],
    ATTEMPTS: ['*'],
    // @ts-expect-error: no counter begins with `ended`
    'SLICE:ended': ['ended:*'],
    // @ts-expect-error: attributes of accounts have fixed names
    'ACCOUNT:lock': ['lock*'],
    // @ts-expect-error: `*` contains `stamp`
    'ACCOUNT:logout': ['stamp', '*'],
  });
});

test('the compiler refuses a write of an unknown kind of item', () => {
  // @ts-expect-error: the kind is `ACCOUNT`
  limit({ 'ACOUNT:lock': ['stamp'] });
});
