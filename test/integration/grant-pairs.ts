import type { Statement } from '#infra/policy';
import { ATTRIBUTES } from '#lib/contract/needs';
import { attributesOf } from '../../infra/local/iam/access.ts';
import type { Input } from '../../infra/local/machine/serve-aws.ts';
import type { Command } from '../wire/dynamodb-proxy.ts';

type Limited = ':activity' | '';

/** What a policy allows, each as a contract says it; of a transaction, what it does and to what, apart. */
export const grantedBy = (statements: readonly Statement[]): string[] =>
  statements.flatMap(({ Action, Resource, Condition = {} }) =>
    Action.flatMap((action) => {
      const [service, name] = action.split(':');
      // What Lambda itself does, in the cloud only.
      if (['logs', 'xray', 'sqs'].includes(service as string)) return [];
      if (service !== 'dynamodb') return [action];
      const keys = [Condition['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat();
      const kinds = keys.map((key) => key.replace(/#\*$/, ''));
      const limited: Limited = Condition['ForAllValues:StringLike']?.['dynamodb:Attributes']
        ? ':activity'
        : '';
      const [, index] = Resource[0]?.split('/index/') ?? [];
      if (index) return kinds.map((kind) => `index:${index}:${kind}`);
      return Condition['ForAnyValue:StringEquals']
        ? partsOf(
            kinds.map((kind) => `transaction:${name}:${kind}`),
            limited,
          )
        : kinds.map((kind) => `table:${name}:${kind}${limited}`);
    }),
  );

/** The same of a command that was sent. */
export function neededBy({ operation, input, needs }: Command): string[] {
  if (operation === 'TransactWriteItems') {
    const items = (input as { TransactItems: Record<string, Input>[] }).TransactItems;
    return partsOf(needs, limitOf(items.flatMap((item) => Object.values(item))));
  }
  return needs.map((need) => (operation === 'UpdateItem' ? `${need}${limitOf([input])}` : need));
}

/** A transaction may do each of its actions to each of its kinds of item. */
const partsOf = (needs: readonly string[], limited: Limited) =>
  needs
    .map((need) => need.split(':'))
    .flatMap(([, action, kind]) => [`transaction:${action}${limited}`, `transaction to ${kind}${limited}`]);

const limitOf = (writes: readonly Input[]): Limited =>
  writes.every((write) => 'UpdateExpression' in write && attributesOf(write).every(isOfActivity))
    ? ':activity'
    : '';

const isOfActivity = (name: string) => (ATTRIBUTES.activity as readonly string[]).includes(name);
