import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { LEADING_KEYS, type Need } from '#lib/needs';
import type { Binding, Grant } from './binding.ts';

/**
 * The table as functions see it. Each action is granted once, for all the kinds of item that a function needs it
 * for: a request with several keys is allowed only where one statement matches them all.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function tableBinding({ tableArn, tableName }: ITable): Binding {
  const onItems = (action: string, needs: readonly Need[]): Grant => ({
    actions: [`dynamodb:${action}`],
    resource: tableArn,
    conditions: {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': needs.map(
          (need) => LEADING_KEYS[partOf(need, 2) as keyof typeof LEADING_KEYS],
        ),
      },
    },
  });

  return {
    value: tableName,
    meets: (need) => /^(table|index):/.test(need),
    grants: (needs) => [
      ...Object.entries(Object.groupBy(needs.filter(isOfTable), (need) => partOf(need, 1))).map(
        ([action, ofAction = []]) => onItems(action, ofAction),
      ),
      ...needs
        .filter((need) => !isOfTable(need))
        .map((need) => ({ actions: ['dynamodb:Query'], resource: `${tableArn}/index/${partOf(need, 1)}` })),
    ],
  };
}

const isOfTable = (need: Need) => need.startsWith('table:');
const partOf = (need: Need, part: number) => need.split(':')[part] as string;
