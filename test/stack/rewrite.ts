import { LEFT_OUT, type Resource, WORDS } from './differences.ts';

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

/**
 * A template that the emulator takes: without {@link LEFT_OUT}, and with stand-ins for references to them. `Ref` of a secret
 * is its name there, and its ARN in AWS: `Id` is the ARN in both.
 */
export function rewritten(template: Template): Template {
  const left = new Map(
    Object.entries(template.Resources).flatMap(([id, resource]) => {
      const row = LEFT_OUT.find(({ leaves }) => leaves(resource));
      return row ? [[id, row] as const] : [];
    }),
  );
  const kept = Object.entries(template.Resources).filter(([id]) => !left.has(id));
  const Resources = Object.fromEntries(
    kept.map(([id, { DependsOn = [], ...resource }]) => {
      const order = [DependsOn].flat().filter((other) => !left.has(other));
      return [
        id,
        { ...withWords(withSecondPolicy(resource)), ...(order.length > 0 && { DependsOn: order }) },
      ];
    }),
  );
  return withReferences({ ...template, Resources }, (id, attribute) => {
    const row = left.get(id);
    if (row) return (row.arn ?? standIn)(id);
    const isSecret = Resources[id]?.Type === 'AWS::SecretsManager::Secret';
    return isSecret && attribute === undefined ? { 'Fn::GetAtt': [id, 'Id'] } : undefined;
  }) as Template;
}

/** The ARN that stands for a resource that is left out. */
export const standIn = (logicalId: string) => `arn:aws:left-out:::${logicalId}`;

interface Statement {
  readonly Action: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Policy {
  readonly PolicyName: string;
  readonly PolicyDocument: { readonly Version: string; readonly Statement: readonly Statement[] };
}

/** Name of the policy that repeats what the emulator cannot evaluate. */
const FOR_EMULATOR = 'for-the-emulator';

/**
 * A role with a second policy, in which the emulator finds what it cannot evaluate in the first: statements without
 * conditions of DynamoDB, and all logs instead of some.
 */
function withSecondPolicy(resource: Resource): Resource {
  const { Policies = [] } = (resource.Properties ?? {}) as { Policies?: readonly Policy[] };
  const Statement = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap(
    (statement) => {
      const { Condition, ...unconditional } = statement;
      if (JSON.stringify(Condition ?? {}).includes('"dynamodb:')) return [unconditional];
      return JSON.stringify(statement.Action).includes('"logs:') ? [{ ...statement, Resource: '*' }] : [];
    },
  );
  if (resource.Type !== 'AWS::IAM::Role' || Statement.length === 0) return resource;
  const second = { PolicyName: FOR_EMULATOR, PolicyDocument: { Version: '2012-10-17', Statement } };
  return { ...resource, Properties: { ...resource.Properties, Policies: [...Policies, second] } };
}

function withWords(resource: Resource): Resource {
  const { FilterPattern } = (resource.Properties ?? {}) as { FilterPattern?: string };
  if (resource.Type !== 'AWS::Logs::SubscriptionFilter' || FilterPattern === undefined) return resource;
  return { ...resource, Properties: { ...resource.Properties, FilterPattern: WORDS[FilterPattern] } };
}

/** A part of a template in which others replace some of the references, by `Ref` and `Fn::GetAtt`. */
export function withReferences(
  part: unknown,
  replace: (logicalId: string, attribute?: string) => unknown,
): unknown {
  if (Array.isArray(part)) return part.map((each) => withReferences(each, replace));
  if (typeof part !== 'object' || part === null) return part;
  const { Ref, 'Fn::GetAtt': of } = part as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  const [id = Ref, attribute] = of ?? [];
  const replaced = id === undefined ? undefined : replace(id, attribute);
  if (replaced !== undefined) return replaced;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, withReferences(value, replace)]),
  );
}
