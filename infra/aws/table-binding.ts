import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { type ItemKind, leadingKeyOf, type Need } from '#lib/contract/needs';
import type { Binding, Grant } from './binding.ts';

/** What transactions are made of. */
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];

/**
 * The table as functions see it. A request with several keys is allowed only where one statement matches them all,
 * so a reading action is granted once for all kinds of item that a function reads so, and the writing actions, which
 * come in transactions, together for all kinds that it writes.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function tableBinding({ tableArn, tableName }: ITable): Binding {
  const onItems = (needs: readonly Need[]): Grant => ({
    actions: [...new Set(needs.map((need) => `dynamodb:${partOf(need, 1)}`))],
    resource: tableArn,
    conditions: {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': [...new Set(needs.map((need) => leadingKeyOf(partOf(need, 2) as ItemKind)))],
      },
    },
  });
  const groupOf = (need: Need) => (WRITES.includes(partOf(need, 1)) ? 'writes' : partOf(need, 1));

  return {
    value: tableName,
    meets: (need) => /^(table|index):/.test(need),
    grants: (needs) => [
      ...Object.values(Object.groupBy(needs.filter(isOfTable), groupOf)).map((group = []) => onItems(group)),
      ...needs
        .filter((need) => !isOfTable(need))
        .map((need) => ({ actions: ['dynamodb:Query'], resource: `${tableArn}/index/${partOf(need, 1)}` })),
    ],
  };
}

const isOfTable = (need: Need) => need.startsWith('table:');
const partOf = (need: Need, part: number) => need.split(':')[part] as string;
