import { App, CfnResource, type Stack } from 'aws-cdk-lib';
import { ManagedPolicy, type PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Statement } from '#infra/policy';
import cdk from '../../cdk.json' with { type: 'json' };
import { readContext } from './context.ts';
import { CoreFunction } from './function.ts';
import { CoreAccountStack } from './stack.ts';

/**
 * Every statement of the role of each function, by the ID of the function, or of the policies of operators, by their
 * group. `${<type>}` is the name or the ARN of a resource of that type.
 */
export function policiesOf(stack: Stack, of = 'functions'): Record<string, Statement[]> {
  const constructs = stack.node.findAll();
  const nameOf = new Map(
    constructs
      .filter(CfnResource.isCfnResource)
      .map(({ logicalId, cfnResourceType: type, node: { path } }) => [
        stack.resolve(logicalId) as string,
        // All secrets but the first have a name of their own.
        /\/(ErasureKey|ResourceKey)\//.exec(path)?.[1] ?? type,
      ]),
  );
  const statementsIn = (document: PolicyDocument) =>
    (stack.resolve(document) as { Statement: Raw[] }).Statement.map(
      ({ Action, Resource, ...others }): Statement => ({
        ...others,
        Action: [Action].flat(),
        Resource: [Resource].flat().map((one) => render(one, nameOf)),
      }),
    );
  return Object.fromEntries(
    of === 'operators'
      ? constructs
          .filter((construct) => construct instanceof ManagedPolicy)
          .map(({ node, document }) => [node.id.toLowerCase(), statementsIn(document)])
      : constructs
          .filter((construct) => construct instanceof CoreFunction)
          .map(({ definition, policy }) => [definition.id, statementsIn(policy)]),
  );
}

type Raw = Pick<Statement, 'Effect' | 'Condition'> & { Action: string | string[]; Resource: unknown };

/** A value of a template as text; references and ARNs become `${<type>}`. */
function render(value: unknown, nameOf: ReadonlyMap<string, string>): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, argument] = []] = Object.entries(value);
  if (name === 'Ref' || name === 'Fn::GetAtt') {
    const id = String([argument].flat()[0]);
    return `\${${nameOf.get(id) ?? id}}`;
  }
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map((part) => render(part, nameOf)).join(separator);
  }
  throw new Error(`${name} is not rendered`);
}

/** The policies of all functions, and that of support; the policy of administrators permits every write. */
export const limitedPoliciesOf = (stack: Stack): Record<string, Statement[]> => ({
  ...policiesOf(stack),
  [SUPPORT]: policiesOf(stack, 'operators')['support'] ?? [],
});

/** Name of the policy of support among those of functions. */
export const SUPPORT = 'policy of support';

/**
 * The stack of `npx cdk synth`, without the code of its functions. {@link policiesOf} resolves single values, since
 * writing a whole assembly takes longer.
 */
export function ownStack(): Stack {
  const app = new App({ context: cdk.context, analyticsReporting: false });
  return new CoreAccountStack(app, readContext(app.node), () => ({
    code: Code.fromInline('0'),
    settings: [],
  }));
}

// The local instance runs this file and reads its output, so that it does not load CDK itself.
if (import.meta.main) {
  const of = process.argv[2];
  const stack = ownStack();
  process.stdout.write(JSON.stringify(of === 'limited' ? limitedPoliciesOf(stack) : policiesOf(stack, of)));
}
