import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { ATTRIBUTES, type ItemKind, leadingKeyOf, type Need } from '#lib/contract/needs';
import type { Binding, Grant } from './binding.ts';

/**
 * The table as a resource of functions. One statement grants an action on exactly the kinds of item that a function uses it
 * for, because IAM allows a request with several keys only if one statement matches them all. The writes of transactions
 * are therefore granted together, and within transactions only.
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
  /** Name of the list of attributes that the request may name, if it is limited. */
  readonly limit?: keyof typeof ATTRIBUTES | undefined;
}

function parse(need: Need): Parsed {
  const [place, action, kind, limit] = need.split(':') as [string, string, ItemKind, Parsed['limit']];
  return place === 'index'
    ? { action: 'Query', kind, index: action, inTransaction: false }
    : { action, kind, limit, inTransaction: place === 'transaction' };
}

/** Key of the statement that grants a need; needs with the same key share one. */
const statementOf = ({ action, index, inTransaction, limit }: Parsed) =>
  [inTransaction ? 'transaction' : action, index, limit].join(' ');

/** `ForAllValues` matches a request without values; `Null` excludes it. */
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
