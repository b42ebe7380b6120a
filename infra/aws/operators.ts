import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Group } from '#infra/admin/command';
import { needsOfGroup } from '#infra/admin/needs';
import { isOperatorAction, OPERATOR_ACTIONS, type OperatorAction } from '#infra/admin/operator-needs';
import type { Need } from '#lib/contract/needs';
import { type Binding, type Grant, statementOf } from './binding.ts';

/** ARNs of resources that operators use, by the first part of an {@link OperatorAction}. */
type Arns = Record<OperatorAction extends `${infer Name}:${string}` ? Name : never, readonly string[]>;

/**
 * The managed policies of operators; cloud teams attach them to a role or a permission set. The policy of support is limited
 * to kinds of items and attributes; the commands of administrators together write all of them.
 */
export class Operators extends Construct {
  readonly outputs: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, resources: readonly Binding[], arns: Arns) {
    super(scope, id);
    const policy = (construct: string, group: Group) => {
      const needs = needsOfGroup(group);
      const shared = needs.filter((need) => !isOperatorAction(need)) as Need[];
      const grants = resources.flatMap(({ meets, grants }): readonly Grant[] => {
        const met = shared.filter(meets);
        return met.length > 0 ? grants(met, true) : [];
      });
      const isLimited = ({ actions: [action] }: Grant) =>
        group === 'support' || !action?.startsWith('dynamodb:');
      return new ManagedPolicy(this, construct, {
        description: `Operator commands of ${group} on ${Stack.of(this).stackName}`,
        statements: [
          ...grants.map((grant) => statementOf(isLimited(grant) ? grant : { ...grant, conditions: {} })),
          ...needs.filter(isOperatorAction).map((need) => {
            const on = arns[need.split(':')[0] as keyof Arns];
            return new PolicyStatement({ actions: [...OPERATOR_ACTIONS[need]], resources: [...on] });
          }),
        ],
      }).managedPolicyArn;
    };
    this.outputs = {
      SupportPolicyArn: policy('Support', 'support'),
      AdministratorPolicyArn: policy('Administrator', 'administrator'),
    };
  }
}
