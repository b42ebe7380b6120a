import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { needsOfGroup } from '#infra/admin/needs';
import {
  type Group,
  isOperatorAction,
  OPERATOR_ACTIONS,
  type OperatorAction,
} from '#infra/admin/operator-needs';
import type { Need } from '#lib/contract/needs';
import { type Binding, type Grant, statementOf } from './binding.ts';

/** The first part of an {@link OperatorAction}: a resource that operators use. */
type Resource = OperatorAction extends `${infer Name}:${string}` ? Name : never;

/** The ARNs of each resource. */
type Arns = Readonly<Record<Resource, readonly string[]>>;

const resourceOf = (action: OperatorAction) => action.split(':')[0] as Resource;

/**
 * What support may read about resources, each of another service: an action concerns no resource of another service, so one
 * statement permits the same as four. IAM limits the characters of a policy.
 */
const OF_SERVICES: readonly Resource[] = ['stack', 'audit', 'secret', 'description'];

/**
 * The managed policies of operators; cloud teams attach them to a role or a permission set. The policy of support is limited
 * to kinds of items and attributes; the commands of administrators together write all of them.
 */
export class Operators extends Construct {
  readonly outputs: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, resources: readonly Binding[], arnsOf: (group: Group) => Arns) {
    super(scope, id);
    const policy = (construct: string, group: Group) => {
      const needs = needsOfGroup(group);
      const arns = arnsOf(group);
      const shared = needs.filter((need) => !isOperatorAction(need)) as Need[];
      const grants = resources.flatMap(({ meets, grants }): readonly Grant[] => {
        const met = shared.filter(meets);
        return met.length > 0 ? grants(met, true) : [];
      });
      const isLimited = ({ actions: [action] }: Grant) =>
        group === 'support' || !action?.startsWith('dynamodb:');
      const together = (action: OperatorAction) => {
        const resource = resourceOf(action);
        return group === 'support' && OF_SERVICES.includes(resource) ? 'services' : resource;
      };
      return new ManagedPolicy(this, construct, {
        description: `Operator commands of ${group} on ${Stack.of(this).stackName}`,
        statements: [
          ...grants.map((grant) => statementOf(isLimited(grant) ? grant : { ...grant, conditions: {} })),
          ...[...Map.groupBy(needs.filter(isOperatorAction), together).values()].map(
            (all) =>
              new PolicyStatement({
                actions: all.flatMap((need) => OPERATOR_ACTIONS[need]),
                resources: [...new Set(all.map(resourceOf))].flatMap((name) => arns[name]),
              }),
          ),
        ],
      }).managedPolicyArn;
    };
    this.outputs = {
      SupportPolicyArn: policy('Support', 'support'),
      AdministratorPolicyArn: policy('Administrator', 'administrator'),
    };
  }
}
