import { describe, expect, test } from 'vitest';
import { create, createLogin, listOwn, remove } from '#lib/token/contracts';
import { createdToken, tokenName, tokenRecord, tokenRecordSchema } from '#lib/token/record';
import { errorsOf } from '../support/errors-of.ts';

const RULE = 'Must be 1 to 128 letters, digits or . _ -, the first a letter or digit';

describe('the name of a token', () => {
  test.each(['a', 'Z', '0', 'a.b_c-D9', '9-', 'x'.repeat(128)])('may be %s', (name) => {
    expect(errorsOf(tokenName(), name)).toEqual([]);
  });

  test.each(['', '.a', '_a', '-a', ' a', 'a ', 'a b', 'a/b', 'a#b', 'ä', 'a\n', 'x'.repeat(129)])(
    'may not be "%s"',
    (name) => {
      expect(errorsOf(tokenName(), name)).toEqual([{ field: 'body', message: RULE }]);
    },
  );

  test.each([create, remove])('is checked in the path of $id, as the username is', ({ params }) => {
    const at = (token_name: string, username: string) =>
      errorsOf(params(), { token_name, username }).map(({ field }) => field);
    expect(at('ci', 'ada')).toEqual([]);
    expect(at('-', 'a b')).toEqual(['token_name', 'username']);
  });
});

describe('a token as it is listed', () => {
  const ITEM = {
    username: 'Ada',
    userid: 'id',
    name: 'ci',
    token_created_at: '2026-11-20T12:00:00.000',
    token_created_by: 'admin',
  };

  test('was used last when it was created, until it is used', () => {
    expect(tokenRecord(ITEM)).toEqual({
      ...ITEM,
      loginprovider: 'api',
      value: null,
      token_used_at: ITEM.token_created_at,
    });
    const token_used_at = '2026-11-20T12:00:01.000';
    expect(tokenRecord({ ...ITEM, token_used_at }).token_used_at).toBe(token_used_at);
  });

  test('has no attribute of its item that is not published', () => {
    const item = { ...ITEM, PK: 'TOKEN#hash', GSI1PK: 'TOKENS#1' };
    expect(tokenRecord(item)).toEqual(tokenRecord(ITEM));
  });

  test('has exactly the published fields', () => {
    const created = createdToken(ITEM, 'secret');
    for (const [schema, record] of [
      [tokenRecordSchema(), tokenRecord(ITEM)],
      [create.response(), created],
      [createLogin.response(), created],
    ] as const) {
      expect(errorsOf(schema, record)).toEqual([]);
      expect(errorsOf(schema, { ...record, sha256: 'x' })).toEqual([
        { field: 'sha256', message: 'Unknown property' },
      ]);
      for (const name of Object.keys(record))
        expect(errorsOf(schema, { ...record, [name]: undefined })).toEqual([
          { field: name, message: 'Is required' },
        ]);
    }
    for (const name of ['userid', 'loginprovider'])
      expect(errorsOf(tokenRecordSchema(), { ...tokenRecord(ITEM), [name]: null })).toEqual([]);
    expect(errorsOf(listOwn.response(), { items: [tokenRecord(ITEM)] })).toEqual([]);
  });

  test('has its secret where it was created, and nowhere else', () => {
    const [listed, created] = [tokenRecord(ITEM), createdToken(ITEM, 'secret')];
    expect(created).toEqual({ ...listed, value: 'secret' });
    expect(errorsOf(listOwn.response(), { items: [created] })).toHaveLength(1);
    expect(errorsOf(create.response(), listed)).toHaveLength(1);
  });
});
