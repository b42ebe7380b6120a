import { App, CfnResource, type Stack } from 'aws-cdk-lib';
import { CfnManagedPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnFunction, Code } from 'aws-cdk-lib/aws-lambda';
import type { Statement } from '#infra/policy';
import { APP_ID } from '#lib/environment';
import cdk from '../../cdk.json' with { type: 'json' };
import { readContext } from './context.ts';
import { CoreAccountStack } from './stack.ts';

/**
 * Every statement of the role of each function, by the ID of the function, or of the policies of operators, by their
 * group. `${<type>}` is the name or the ARN of the only resource of that type.
 */
export function policiesOf(stack: Stack, of?: 'functions' | 'operators'): Record<string, Statement[]> {
  const resources = stack.node.findAll().filter(CfnResource.isCfnResource);
  const nameOf = new Map(
    resources.map(({ logicalId, cfnResourceType: type }) => [
      stack.resolve(logicalId) as string,
      resources.filter((other) => other.cfnResourceType === type).length === 1
        ? type
        : `${type} ${stack.resolve(logicalId)}`,
    ]),
  );
  const statementsOf = (role: string) =>
    resources
      .filter((resource) => resource instanceof CfnRole)
      .filter(({ logicalId }) => role === `\${${nameOf.get(stack.resolve(logicalId) as string)}}`)
      .flatMap(({ policies }) => stack.resolve(policies) as { policyDocument: { Statement: Raw[] } }[])
      .flatMap(({ policyDocument }) => policyDocument.Statement);
  const plain = ({ Action, Resource, ...others }: Raw): Statement => ({
    ...others,
    Action: [Action].flat(),
    Resource: [Resource].flat().map((one) => render(one, nameOf)),
  });
  if (of === 'operators')
    return Object.fromEntries(
      resources
        .filter((resource) => resource instanceof CfnManagedPolicy)
        .map(({ node, policyDocument }) => [
          node.path.split('/').at(-2)?.toLowerCase(),
          (stack.resolve(policyDocument) as { Statement: Raw[] }).Statement.map(plain),
        ]),
    );
  return Object.fromEntries(
    resources
      .filter((resource) => resource instanceof CfnFunction)
      .map(({ role, environment }) => [
        (stack.resolve(environment) as { variables: Record<string, string> }).variables[APP_ID],
        statementsOf(render(stack.resolve(role), nameOf)).map(plain),
      ]),
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

/**
 * The stack of `npx cdk synth`, without the code of its functions. {@link policiesOf} resolves single values, since
 * writing a whole assembly takes five times as long.
 */
function ownStack(): Stack {
  const app = new App({ context: cdk.context, analyticsReporting: false });
  return new CoreAccountStack(app, readContext(app.node), () => Code.fromInline('0'));
}

// The local instance runs this file and reads its output, so that it does not load CDK itself.
if (import.meta.main)
  process.stdout.write(JSON.stringify(policiesOf(ownStack(), process.argv[2] as 'operators')));
