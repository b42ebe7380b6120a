import { expect, test } from 'vitest';
import { isAllowed, type Statement } from '#infra/policy';

const TABLE = 'arn:aws:dynamodb:eu-west-1:000000000000:table/t';
const statement = (part: Partial<Statement> = {}): Statement => ({
  Effect: 'Allow',
  Action: ['dynamodb:GetItem'],
  Resource: [TABLE],
  ...part,
});
const access = (context: Record<string, string[]> = {}, action = 'dynamodb:GetItem', resource = TABLE) => ({
  action,
  resource,
  context,
});
const KEYS = 'dynamodb:LeadingKeys';
const WITHIN = 'dynamodb:EnclosingOperation';

test.each<[string, boolean, readonly Statement[], ReturnType<typeof access>]>([
  ['its own action and resource', true, [statement()], access()],
  ['anything without statements', false, [], access()],
  ['another action', false, [statement()], access({}, 'dynamodb:PutItem')],
  ['an index of its table', false, [statement()], access({}, undefined, `${TABLE}/index/i`)],
  ['a table with a longer name', false, [statement()], access({}, undefined, `${TABLE}2`)],
  ['what a pattern matches', true, [statement({ Action: ['dynamodb:Get*'] })], access()],
  ['what is denied', false, [statement(), statement({ Effect: 'Deny' })], access()],
  ['what one of two statements names', true, [statement({ Action: ['x:Y'] }), statement()], access()],
])('a policy allows %s: %s', (_, expected, statements, asked) => {
  expect(isAllowed(statements, asked)).toBe(expected);
});

const like = { 'ForAllValues:StringLike': { [KEYS]: ['ACCOUNT#*', 'STATS'] } };
const guarded = { ...like, Null: { [KEYS]: 'false' } };
const several = {
  'ForAnyValue:StringLike': { [KEYS]: 'ACCOUNT#*' },
  'ForAnyValue:StringNotLike': { [KEYS]: 'ACCOUNT#*' },
};
const within = { 'ForAnyValue:StringEquals': { [WITHIN]: ['TransactWriteItems'] } };

test.each<[boolean, object, Record<string, string[]>]>([
  [true, like, { [KEYS]: ['ACCOUNT#a', 'STATS'] }],
  [true, like, { [KEYS]: ['ACCOUNT#a\nb'] }],
  [true, like, {}],
  [false, like, { [KEYS]: ['ACCOUNT#a', 'PASSWORD#a'] }],
  [false, like, { [KEYS]: ['STATS2'] }],
  [true, guarded, { [KEYS]: ['STATS'] }],
  [false, guarded, {}],
  [true, within, { [WITHIN]: ['TransactWriteItems'] }],
  [false, within, {}],
  [false, within, { [WITHIN]: ['TransactGetItems'] }],
  [true, { StringEquals: { [WITHIN]: 'x' } }, { [WITHIN]: ['x'] }],
  [false, { StringEquals: { [WITHIN]: 'x' } }, {}],
  [false, { StringEquals: { [WITHIN]: 'x*' } }, { [WITHIN]: ['xy'] }],
  [true, several, { [KEYS]: ['ACCOUNT#a', 'STATS'] }],
  [false, several, { [KEYS]: ['ACCOUNT#a', 'ACCOUNT#b'] }],
  [false, several, { [KEYS]: ['STATS'] }],
  [true, { Null: { [KEYS]: 'true' } }, {}],
  [false, { ...guarded, ...within }, { [KEYS]: ['STATS'] }],
])('is %s: the condition %j holds for %j', (expected, Condition, context) => {
  expect(isAllowed([statement({ Condition: Condition as never })], access(context))).toBe(expected);
});

test('an unknown condition is refused', () => {
  const unknown = statement({ Condition: { IpAddress: { 'aws:SourceIp': '192.0.2.1' } } });
  expect(() => isAllowed([unknown], access())).toThrow('does not support the IAM condition IpAddress');
});
