import { type Resource, render, type Synthesized } from './synth.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** The role that a function runs under. */
export const roleOf = ({ of }: Synthesized, fn: Resource): Resource | undefined =>
  of('AWS::IAM::Role').find(({ id }) => render(fn.Properties['Role']) === `\${${id}.Arn}`);

/** Permissions of a role, as `<action> on <resource>`, sorted. */
export const grantsOf = (role: Resource): string[] => statementsOf(role).flatMap(permissions).sort();

/** Every permission of every role. */
export const allGrants = ({ of }: Synthesized): string[] =>
  of('AWS::IAM::Role').flatMap(statementsOf).flatMap(permissions);

const statementsOf = ({ Properties }: Resource) =>
  (Properties['Policies'] as { PolicyDocument: { Statement: Statement[] } }[]).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );

/** Permissions of a statement. */
export function permissions({ Effect, Action, Resource, Condition }: Statement): string[] {
  if (Effect !== 'Allow') return [];
  return [Action]
    .flat()
    .flatMap((action) => [Resource].flat().map((one) => `${action} on ${render(one)}${only(Condition)}`));
}

const CONDITIONS: Readonly<Record<string, string>> = {
  'ForAllValues:StringLike dynamodb:LeadingKeys': 'only',
  'ForAllValues:StringLike dynamodb:Attributes': 'naming',
  'ForAnyValue:StringEquals dynamodb:EnclosingOperation': 'in',
  'ForAnyValue:StringLike dynamodb:LeadingKeys': 'with',
  'ForAnyValue:StringNotLike dynamodb:LeadingKeys': 'beside',
  'ForAllValues:StringEquals dynamodb:Attributes': 'reading',
  'StringEquals dynamodb:Select': 'selecting',
  'StringLike kms:ViaService': 'kms:ViaService',
};

/**
 * Limits of a permission by its condition: partitions, attributes, transactions.
 *
 * @throws Error for any other condition, and for one that is true without its key
 */
function only(condition: unknown = {}): string {
  const { Null = {}, ...others } = condition as Record<string, Record<string, string | string[]>>;
  const parts = Object.entries(others).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => {
      const word = CONDITIONS[`${operator} ${key}`];
      if (!word) throw new Error(`Nothing is confined by ${operator} of ${key}`);
      if (operator.startsWith('ForAllValues:') && Null[key] !== 'false')
        throw new Error(`${operator} holds where ${key} is absent`);
      return ` ${word} ${[values].flat().map(render).join(' ')}`;
    }),
  );
  return parts.sort().reverse().join('');
}
