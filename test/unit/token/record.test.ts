import { expect, test } from 'vitest';
import { contract as create } from '#lib/token/create.contract';
import { contract as createOwn } from '#lib/token/create-own.contract';
import { contract as remove } from '#lib/token/delete.contract';
import { contract as listOwn } from '#lib/token/list-own.contract';
import { createdToken, tokenName, tokenRecord, tokenRecordSchema } from '#lib/token/record';
import { errorsOf, fieldsAtFault } from '../support/errors-of.ts';
import { NOON, tokenItem } from '../support/items.ts';

const RULE = 'Must be 1 to 128 letters, digits or . _ -, the first a letter or digit';
const ITEM = tokenItem();
const LISTED = tokenRecord(ITEM);
const CREATED = createdToken(ITEM, 'secret');

test('a token name has 1 to 128 letters, digits or . _ -, the first a letter or digit', () => {
  for (const name of ['a', 'Z', '0', 'a.b_c-D9', '9-', 'x'.repeat(128)])
    expect([name, errorsOf(tokenName(), name)]).toEqual([name, []]);
  for (const name of ['', '.a', '_a', '-a', ' a', 'a ', 'a b', 'a/b', 'a#b', 'ä', 'a\n', 'x'.repeat(129)])
    expect([name, errorsOf(tokenName(), name)]).toEqual([name, [{ field: 'body', message: RULE }]]);
});

const HIDDEN = [`cst_${'a'.repeat(36)}`, `eyJ${['a', 'b', 'c'].map((part) => part.repeat(16)).join('.')}`];

test.each([
  ...['cst_', 'eyJhbGci.x.y', ...HIDDEN],
  // The audit log would omit their names.
  ...HIDDEN.flatMap((text) => [`x.${text}`, `x.${text.toUpperCase()}`]),
])('no new token has the name %s', (token_name) => {
  const errors = [{ field: 'token_name', message: 'Must not begin with cst_ or eyJ, or contain a token' }];
  expect(errorsOf(create.params(), { token_name, username: 'eyJohn' })).toEqual(errors);
  expect(errorsOf(createOwn.params(), { token_name })).toEqual(errors);
  expect(errorsOf(remove.params(), { token_name, username: 'eyJohn' })).toEqual([]);
  for (const name of ['CST_1', 'eyjo', 'xcst_', 'cst'])
    expect(errorsOf(create.params(), { token_name: name, username: 'ada' })).toEqual([]);
});

test.each([create, remove])('the path of $id names a token and an account', ({ params }) => {
  expect(fieldsAtFault(params(), { token_name: 'ci', username: 'ada' })).toEqual([]);
  expect(fieldsAtFault(params(), { token_name: '-', username: 'a b' })).toEqual(['token_name', 'username']);
});

test('tokenRecord shows the creation as the last use of an unused token, and no other attribute', () => {
  const { username, userid, name, token_created_at, token_created_by } = ITEM;
  const expected = { username, userid, loginprovider: 'api', name, value: null, token_created_at };
  const none = { token_expires_at: null, token_last4: null, token_description: null, token_access: 'full' };
  const unlimited = { ...none, token_roles: null, token_addresses: null };
  const times = { token_used_at: token_created_at, token_created_by };
  expect(LISTED).toEqual({ ...expected, ...times, ...unlimited });
  const limits = { access: 'read', roles: ['r'], addresses: ['::1'], expires_at: NOON } as const;
  expect(tokenRecord({ ...ITEM, ...limits, last4: 'abcd', description: 'x', ttl: 1 })).toEqual({
    ...{ ...LISTED, token_expires_at: token_created_at, token_last4: 'abcd', token_description: 'x' },
    ...{ token_access: 'read', token_roles: ['r'], token_addresses: ['::1'] },
  });
  const used = { ...ITEM, token_used_at: '2026-11-20T12:00:01.000', PK: 'TOKEN#hash', GSI1PK: 'TOKENS#1' };
  expect(tokenRecord(used)).toEqual({ ...LISTED, token_used_at: used.token_used_at });
});

test('a record of a token has its secret in a creation only, and may lack its owner', () => {
  expect(CREATED).toEqual({ ...LISTED, value: 'secret' });
  expect(fieldsAtFault(listOwn.response(), { items: [CREATED] })).toEqual(['items.0.value']);
  expect(fieldsAtFault(create.response(), LISTED)).toEqual(['value']);
  expect(errorsOf(tokenRecordSchema(), { ...LISTED, userid: null, loginprovider: null })).toEqual([]);
});
