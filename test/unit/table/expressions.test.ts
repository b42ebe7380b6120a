import { expect, test } from 'vitest';
import { assign, expecting } from '#lib/table/expressions';

test('assign sets attributes and removes undefined ones on condition that others are as expected', () => {
  expect(assign({ a: 1, b: undefined, c: null }, { d: 'x', e: undefined })).toEqual({
    UpdateExpression: 'SET #a = :to_a, #c = :to_c REMOVE #b',
    ConditionExpression: '#d = :is_d AND attribute_not_exists(#e)',
    ExpressionAttributeNames: { '#a': 'a', '#b': 'b', '#c': 'c', '#d': 'd', '#e': 'e' },
    ExpressionAttributeValues: { ':to_a': 1, ':to_c': null, ':is_d': 'x' },
  });
});

test('assign may expect the attribute that it sets', () => {
  expect(assign({ stamp: 'new' }, { stamp: 'old' })).toEqual({
    UpdateExpression: 'SET #stamp = :to_stamp',
    ConditionExpression: '#stamp = :is_stamp',
    ExpressionAttributeNames: { '#stamp': 'stamp' },
    ExpressionAttributeValues: { ':to_stamp': 'new', ':is_stamp': 'old' },
  });
});

test('expecting omits an empty list of values, which DynamoDB refuses', () => {
  expect(expecting({ a: undefined })).toEqual({
    ConditionExpression: 'attribute_not_exists(#a)',
    ExpressionAttributeNames: { '#a': 'a' },
  });
  expect(expecting({ a: 1 })).toMatchObject({ ExpressionAttributeValues: { ':is_a': 1 } });
});
