import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { ATTRIBUTES, type ItemKind, leadingKeyOf, type Need } from '#lib/contract/needs';
import type { Binding, Grant } from './binding.ts';

/**
 * The table as functions see it. Each action is granted on exactly the kinds of item that a function does it to, in one
 * statement, because a request with several keys is allowed only where one statement matches them all. The writes of
 * transactions are therefore granted together, to transactions alone.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export function tableBinding({ tableArn, tableName }: ITable): Binding {
  const grantOf = (needs: readonly Parsed[]): Grant => ({
    actions: unique(needs.map(({ action }) => `dynamodb:${action}`)),
    resource: needs[0]?.index === undefined ? tableArn : `${tableArn}/index/${needs[0].index}`,
    conditions: conditionsOf(needs),
  });
  return {
    value: tableName,
    meets: (need) => /^(table|transaction|index):/.test(need),
    grants: (needs) =>
      Object.values(Object.groupBy(needs.map(parse), statementOf)).map((group = []) => grantOf(group)),
  };
}

interface Parsed {
  readonly action: string;
  readonly kind: ItemKind;
  readonly index?: string | undefined;
  readonly inTransaction: boolean;
  /** The only attributes that it may name, if it is limited. */
  readonly limit?: keyof typeof ATTRIBUTES | undefined;
}

function parse(need: Need): Parsed {
  const [place, action, kind, limit] = need.split(':') as [string, string, ItemKind, Parsed['limit']];
  return place === 'index'
    ? { action: 'Query', kind, index: action, inTransaction: false }
    : { action, kind, limit, inTransaction: place === 'transaction' };
}

/** What is granted in one statement has the same of this. */
const statementOf = ({ action, index, inTransaction, limit }: Parsed) =>
  [inTransaction ? 'transaction' : action, index, limit].join(' ');

/** `ForAllValues` holds of a request that has no value at all, which `Null` rules out. */
function conditionsOf(needs: readonly Parsed[]) {
  const { inTransaction, limit } = needs[0] as Parsed;
  const leadingKeys = { 'dynamodb:LeadingKeys': unique(needs.map(({ kind }) => leadingKeyOf(kind))) };
  const attributes = limit && { 'dynamodb:Attributes': ATTRIBUTES[limit] };
  const keys = [...Object.keys(leadingKeys), ...Object.keys(attributes ?? {})];
  return {
    'ForAllValues:StringLike': { ...leadingKeys, ...attributes },
    Null: Object.fromEntries(keys.map((key) => [key, 'false'])),
    ...(inTransaction && {
      'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
    }),
  };
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];
