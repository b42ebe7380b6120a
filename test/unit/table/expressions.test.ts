import { expect, test } from 'vitest';
import { assign, expecting } from '#lib/table/expressions';

test('attributes are set, and removed where they are undefined', () => {
  expect(assign({ a: 1, b: undefined, c: null }, { d: 'x', e: undefined })).toEqual({
    UpdateExpression: 'SET #a = :to_a, #c = :to_c REMOVE #b',
    ConditionExpression: '#d = :is_d AND attribute_not_exists(#e)',
    ExpressionAttributeNames: { '#a': 'a', '#b': 'b', '#c': 'c', '#d': 'd', '#e': 'e' },
    ExpressionAttributeValues: { ':to_a': 1, ':to_c': null, ':is_d': 'x' },
  });
});

test('an attribute may be changed on condition that it is as expected', () => {
  expect(assign({ stamp: 'new' }, { stamp: 'old' })).toEqual({
    UpdateExpression: 'SET #stamp = :to_stamp',
    ConditionExpression: '#stamp = :is_stamp',
    ExpressionAttributeNames: { '#stamp': 'stamp' },
    ExpressionAttributeValues: { ':to_stamp': 'new', ':is_stamp': 'old' },
  });
});

test('a condition without values names none, since DynamoDB refuses an empty list of them', () => {
  expect(expecting({ a: undefined })).toEqual({
    ConditionExpression: 'attribute_not_exists(#a)',
    ExpressionAttributeNames: { '#a': 'a' },
  });
  expect(expecting({ a: 1 })).toMatchObject({ ExpressionAttributeValues: { ':is_a': 1 } });
});
