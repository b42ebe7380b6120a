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

/** What a role may do, as `<action> on <resource>`, sorted. */
export function grantsOf({ of }: Synthesized, role: Resource): string[] {
  const policies = of('AWS::IAM::Policy').filter(({ Properties }) =>
    (Properties['Roles'] as unknown[]).some((one) => render(one) === `\${${role.id}}`),
  );
  return policies.flatMap(statementsOf).flatMap(permissions).sort();
}

/** Every permission of every policy. */
export const allGrants = ({ of }: Synthesized): string[] =>
  of('AWS::IAM::Policy').flatMap(statementsOf).flatMap(permissions);

const statementsOf = ({ Properties }: Resource) =>
  (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement;

function permissions({ Effect, Action, Resource, Condition }: Statement): string[] {
  if (Effect !== 'Allow') return [];
  return [Action]
    .flat()
    .flatMap((action) => [Resource].flat().map((one) => `${action} on ${render(one)}${only(Condition)}`));
}

/** The partitions that a condition confines a permission to; any other condition as it is. */
function only(condition: unknown): string {
  if (condition === undefined) return '';
  const { 'ForAllValues:StringLike': keys, ...others } = condition as Record<string, Record<string, unknown>>;
  if (Object.keys(others).length > 0) return ` if ${JSON.stringify(condition)}`;
  return ` only ${[keys?.['dynamodb:LeadingKeys']].flat().join(' ')}`;
}
