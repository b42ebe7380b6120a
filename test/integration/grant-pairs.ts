import { isLike, type Statement } from '#infra/policy';
import { ATTRIBUTES } from '#lib/contract/attributes';
import type { Input } from '../../infra/local/machine/serve-aws.ts';
import { attributesOf } from '../../infra/local/services/iam/requests.ts';
import type { Command } from '../wire/dynamodb-proxy.ts';

/** A need of a write whose attributes are limited. */
const LIMITED = /:(Put|Update)Item:(?!ATTEMPTS$)/;

const KEY = ['PK', 'SK'];

/** Permissions of a policy as needs of a contract, and each attribute that a write may name. */
export const grantedBy = (statements: readonly Statement[]): string[] =>
  statements.flatMap(({ Action, Resource, Condition = {} }) =>
    Action.flatMap((action) => {
      const [service, name] = action.split(':');
      // Calls of Lambda itself, in the cloud only.
      if (['logs', 'xray', 'sqs'].includes(service as string)) return [];
      if (service !== 'dynamodb') return [action];
      // For transactions that are judged as a whole, in addition to the grants of their writes.
      if (Condition['ForAnyValue:StringNotLike']) return [];
      if (name === 'Scan') return ['names:scan'];
      const { 'dynamodb:LeadingKeys': keys = [], 'dynamodb:Attributes': names = [] } =
        Condition['ForAllValues:StringLike'] ?? {};
      const kinds = [keys].flat().map((key) => key.replace(/#\*$/, ''));
      const [, index] = Resource[0]?.split('/index/') ?? [];
      if (index) return kinds.map((kind) => `index:${index}:${kind}`);
      const place = Condition['ForAnyValue:StringEquals'] ? 'transaction' : 'table';
      return kinds.flatMap((kind) => withAttributes(`${place}:${name}:${kind}`, [names].flat()));
    }),
  );

/** The same of a command that was sent. */
export function neededBy({
  operation,
  input,
  needs,
}: Pick<Command, 'operation' | 'input' | 'needs'>): string[] {
  const { TransactItems = [] } = input as { TransactItems?: Record<string, Input>[] };
  const writes =
    operation === 'TransactWriteItems' ? TransactItems.flatMap((one) => Object.values(one)) : [input];
  return needs.flatMap((need, at) =>
    // Counters of days and of ends of lockouts have the day and the end in their names.
    withAttributes(need, LIMITED.test(need) ? attributesOf(writes[at] as Input).map(asPattern) : []),
  );
}

const withAttributes = (need: string, names: readonly string[]) => [
  need,
  // Alone or in a transaction.
  ...(LIMITED.test(need) ? names.filter((name) => !KEY.includes(name)) : []).map(
    (name) => `${need.replace(/^\w+:/, '')} ${name}`,
  ),
];

const asPattern = (name: string) =>
  [...ATTRIBUTES['SLICE:active'], ...ATTRIBUTES['SLICE:until']].find((one) => isLike(name, one)) ?? name;
