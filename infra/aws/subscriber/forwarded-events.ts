import { CfnRule, EventBus, type EventBusProps } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ALWAYS, type EventType } from '#lib/settings';
import { patternOf } from './pattern.ts';

export interface ForwardedEventsProps {
  /** Of the bus of the instance, in another account: its output `EventBusArn`. */
  readonly eventBusArn: string;
  /** Only events of accounts that have one of these applications; of all unless told. */
  readonly apps?: readonly string[];
  /** Which events; `user_cancel` and `user_reactivate` unless told. */
  readonly events?: readonly EventType[];
  /** Of the own bus. */
  readonly bus?: EventBusProps;
}

/**
 * The events of an instance in another account, on a bus of the own account. The rule is made on the bus over there, by
 * its ARN: the instance must name this account, or its organization (`subscriberAccounts`, `subscriberOrganization`).
 * `EventBus.fromEventBusArn` is no way to it: a rule of CDK keeps only the name, and is made on the own bus of that name.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-perms.html
 */
export class ForwardedEvents extends Construct {
  /** Where they arrive: subscribe here. */
  readonly bus: EventBus;

  constructor(
    scope: Construct,
    id: string,
    { eventBusArn, apps, events = ALWAYS, bus }: ForwardedEventsProps,
  ) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', bus);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('events.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn] }),
    );
    const { source, detailType, ...rest } = patternOf(events, apps);
    new CfnRule(this, 'Rule', {
      description: 'Forwards the events of accounts to a bus of another account',
      eventBusName: eventBusArn,
      eventPattern: { source, 'detail-type': detailType, ...rest },
      targets: [{ id: 'Bus', arn: this.bus.eventBusArn, roleArn: role.roleArn }],
    });
  }
}
