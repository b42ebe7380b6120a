import { expect, test } from 'vitest';
import { leadingKeyOf, type Need, variableFor } from '#lib/contract/needs';

type Kind = Parameters<typeof leadingKeyOf>[0];
const SPLIT: Kind[] = ['ACCOUNT', 'PASSWORD', 'TOKEN', 'ATTEMPTS', 'SLICE', 'MADE', 'ACCOUNTS', 'TOKENS'];
const WHOLE: Kind[] = ['TEAMS', 'OUTBOX', 'KEYS', 'RESOURCE_KEYS', 'CURSORS', 'CHALLENGES', 'STATS'];

test.each([
  ...SPLIT.map((kind) => [kind, `${kind}#*`] as const),
  ...WHOLE.map((kind) => [kind, kind] as const),
])('a grant on %s reaches the partitions %s and no others', (kind, key) => {
  expect(leadingKeyOf(kind)).toBe(key);
});

test.each<[Need, string]>([
  ['events:PutEvents', 'EVENT_BUS_NAME'],
  ['signing-key:read', 'SIGNING_KEY_SECRET_ID'],
  ['signing-key:rotate', 'SIGNING_KEY_SECRET_ID'],
  ['resource-key:read', 'RESOURCE_KEY_SECRET_ID'],
  ['resource-key:rotate', 'RESOURCE_KEY_SECRET_ID'],
  ['audit:write', 'AUDIT_LOG_GROUP_NAME'],
  ['table:GetItem:KEYS', 'TABLE_NAME'],
  ['transaction:UpdateItem:OUTBOX:user_cancel', 'TABLE_NAME'],
  ['index:GSI1:ACCOUNTS', 'TABLE_NAME'],
])('the need %s leads to the variable %s', (need, variable) => {
  expect(variableFor(need)).toBe(variable);
});
