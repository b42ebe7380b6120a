import { describe, expect, test } from 'vitest';
import { checkConditions, isAllowed, type Statement } from '#infra/policy';

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

describe('a policy allows', () => {
  test.each<[string, boolean, readonly Statement[], ReturnType<typeof access>]>([
    ['what it names', true, [statement()], access()],
    ['nothing where it is empty', false, [], access()],
    ['no other action', false, [statement()], access({}, 'dynamodb:PutItem')],
    ['nothing on an index by its table', false, [statement()], access({}, undefined, `${TABLE}/index/i`)],
    ['nothing on a table whose name begins alike', false, [statement()], access({}, undefined, `${TABLE}2`)],
    ['what a pattern stands for', true, [statement({ Action: ['dynamodb:Get*'] })], access()],
    ['nothing that is denied', false, [statement(), statement({ Effect: 'Deny' })], access()],
    ['what another of its statements names', true, [statement({ Action: ['x:Y'] }), statement()], access()],
  ])('%s', (_, expected, statements, asked) => {
    expect(isAllowed(statements, asked)).toBe(expected);
  });
});

describe('a condition', () => {
  const like = { 'ForAllValues:StringLike': { [KEYS]: ['ACCOUNT#*', 'STATS'] } };
  const guarded = { ...like, Null: { [KEYS]: 'false' } };
  const within = { 'ForAnyValue:StringEquals': { [WITHIN]: ['TransactWriteItems'] } };
  test.each<[string, boolean, Statement['Condition'], Record<string, string[]>]>([
    ['for all values holds where each matches', true, like, { [KEYS]: ['ACCOUNT#a', 'STATS'] }],
    ['for all values fails where one does not', false, like, { [KEYS]: ['ACCOUNT#a', 'PASSWORD#a'] }],
    ['for all values holds where there is none', true, like, {}],
    ['for all values fails where there is none, guarded by Null', false, guarded, {}],
    ['guarded by Null holds where each matches', true, guarded, { [KEYS]: ['STATS'] }],
    ['that ends in no star matches no longer text', false, like, { [KEYS]: ['STATS2'] }],
    ['matches a text over several lines', true, like, { [KEYS]: ['ACCOUNT#a\nb'] }],
    ['for any value holds where one matches', true, within, { [WITHIN]: ['TransactWriteItems'] }],
    ['for any value fails where there is none', false, within, {}],
    ['for any value fails where none matches', false, within, { [WITHIN]: ['TransactGetItems'] }],
    ['of one value fails where there is none', false, { StringEquals: { [WITHIN]: 'x' } }, {}],
    ['of one value compares it', true, { StringEquals: { [WITHIN]: 'x' } }, { [WITHIN]: ['x'] }],
    ['of equality knows no star', false, { StringEquals: { [WITHIN]: 'x*' } }, { [WITHIN]: ['xy'] }],
    ['of absence holds where there is none', true, { Null: { [KEYS]: 'true' } }, {}],
    ['fails where one of two keys fails', false, { ...guarded, ...within }, { [KEYS]: ['STATS'] }],
  ])('%s', (_, expected, Condition, context) => {
    expect(isAllowed([statement({ Condition: Condition as never })], access(context))).toBe(expected);
  });

  test('that is not known is refused before anything is asked', () => {
    const unknown = [statement({ Condition: { IpAddress: { 'aws:SourceIp': '192.0.2.1' } } })];
    expect(() => checkConditions(unknown)).toThrow('does not know the condition IpAddress');
    expect(() => checkConditions([statement({ Condition: guarded })])).not.toThrow();
  });
});
