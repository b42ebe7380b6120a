import { expect, test } from 'vitest';
import { leadingKeyOf, type Need, PUBLISHING, variableFor } from '#lib/contract/needs';

test.each<[Parameters<typeof leadingKeyOf>[0], string]>([
  ['ACCOUNT', 'ACCOUNT#*'],
  ['PASSWORD', 'PASSWORD#*'],
  ['TOKEN', 'TOKEN#*'],
  ['ATTEMPTS', 'ATTEMPTS#*'],
  ['TEAMS', 'TEAMS'],
  ['OUTBOX', 'OUTBOX'],
  ['KEYS', 'KEYS'],
  ['STATS', 'STATS'],
  ['SLICE', 'SLICE#*'],
  ['ACCOUNTS', 'ACCOUNTS#*'],
  ['TOKENS', 'TOKENS#*'],
])('a grant on %s reaches the partitions %s and no others', (kind, key) => {
  expect(leadingKeyOf(kind)).toBe(key);
});

test.each<[Need, string]>([
  ['events:PutEvents', 'EVENT_BUS_NAME'],
  ['signing-key:read', 'SIGNING_KEY_SECRET_ID'],
  ['signing-key:rotate', 'SIGNING_KEY_SECRET_ID'],
  ['audit:write', 'AUDIT_LOG_GROUP_NAME'],
  ['table:GetItem:KEYS', 'TABLE_NAME'],
  ['table:PutItem:OUTBOX', 'TABLE_NAME'],
  ['transaction:PutItem:OUTBOX', 'TABLE_NAME'],
  ['index:GSI1:ACCOUNTS', 'TABLE_NAME'],
])('the need %s is met through %s', (need, variable) => {
  expect(variableFor(need)).toBe(variable);
});

test('an event takes a place in the outbox, its publication, and its removal', () => {
  expect(PUBLISHING).toEqual(['transaction:PutItem:OUTBOX', 'table:DeleteItem:OUTBOX', 'events:PutEvents']);
});
