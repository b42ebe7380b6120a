import { Stack } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Options } from '#infra/stages/options';

/** What it takes to keep a rule with its targets. */
const RULES = [
  'events:PutRule',
  'events:DeleteRule',
  'events:DescribeRule',
  'events:DisableRule',
  'events:EnableRule',
  'events:PutTargets',
  'events:RemoveTargets',
  'events:ListTargetsByRule',
];

/**
 * Lets other accounts make rules on the bus, and change those that they made: `IfExists`, since a rule that is yet
 * to be made has no creator.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-example-policy-same-account-creator.html
 */
export function letSubscribe(bus: EventBus, { subscriberAccounts, subscriberOrganization }: Options): void {
  const rules = Stack.of(bus).formatArn({
    service: 'events',
    resource: 'rule',
    resourceName: `${bus.eventBusName}/*`,
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM
  const own = { StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' } };
  if (subscriberAccounts.length > 0)
    bus.addToResourcePolicy(
      new PolicyStatement({
        sid: 'RulesOfSubscribers',
        principals: subscriberAccounts.map((id) => new AccountPrincipal(id)),
        actions: RULES,
        resources: [rules],
        conditions: own,
      }),
    );
  if (subscriberOrganization !== '')
    bus.addToResourcePolicy(
      new PolicyStatement({
        sid: 'RulesOfOrganization',
        principals: [new AnyPrincipal()],
        actions: RULES,
        resources: [rules],
        conditions: { ...own, StringEquals: { 'aws:PrincipalOrgID': subscriberOrganization } },
      }),
    );
}
