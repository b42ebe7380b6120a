import { Annotations, Duration, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IAlarmAction, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  CfnRule,
  EventBus,
  type EventBusProps,
  type EventPattern,
  type IEventBus,
  type IRuleTarget,
  Rule,
} from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import { ALWAYS, type EventType } from '#lib/instance/settings';
import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { acceptFrom, deadLetters } from '../dead-letters.ts';

interface Selection {
  /** Only events of accounts with one of these applications; by default of all accounts. */
  readonly apps?: readonly string[];
  /** Types of events; by default those that are always published. */
  readonly events?: readonly EventType[];
  /** Action of the alarm on dead letters. */
  readonly alarmAction?: IAlarmAction;
}

export interface UserCancelSubscriptionProps extends Selection {
  /** Bus of the instance, or the bus of {@link ForwardedEvents}; in the account of the stack. */
  readonly eventBus: IEventBus;
  /**
   * Target, such as `new LambdaFunction(cleanUp)`; its own dead-letter queue is ignored. Without retries of its own,
   * EventBridge retries for 24 hours and 185 times, its maximum.
   */
  readonly target: IRuleTarget;
}

/**
 * A subscription to the events of accounts: a rule, retries for a day, a dead-letter queue, and an alarm on that queue.
 *
 * EventBridge counts an event as delivered once Lambda has queued it. Lambda runs a function that fails twice more, then
 * sends the event to the same queue, unless the function is imported, of another stack, or has a configuration of
 * asynchronous invocations itself.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 * @throws Error if the bus is in another account: CDK would create the rule on the bus of that name in this account, without an error
 */
export class UserCancelSubscription extends Construct {
  readonly rule: Rule;
  readonly deadLetters: Queue;
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, props: UserCancelSubscriptionProps) {
    super(scope, id);
    const { eventBus, target } = props;
    this.checkAccountOf(eventBus);
    const { queue, alarm } = watchedDeadLetters(
      this,
      'The subscriber did not get an event of an account, or failed at it. Fix the target, replay the archive to the rule, then purge the queue.',
      props.alarmAction,
    );
    this.deadLetters = queue;
    this.alarm = alarm;
    this.rule = new Rule(this, 'Rule', {
      description: 'Events of the accounts of core-account',
      eventBus,
      eventPattern: patternOf(props.events ?? ALWAYS, props.apps),
    });
    this.rule.addTarget({
      bind: (rule, targetId) => {
        const bound = target.bind(rule, targetId);
        this.keepFailuresOf(bound.targetResource);
        return { ...bound, deadLetterConfig: { arn: this.deadLetters.queueArn } };
      },
    });
    acceptFrom(queue, this.rule.ruleArn);
  }

  /** @param target a function is known by its method: the app of a subscriber may have a CDK of its own, with other classes */
  private keepFailuresOf(target: IConstruct | undefined): void {
    if (!target || !('configureAsyncInvoke' in target) || target.node.tryFindChild('EventInvokeConfig'))
      return;
    if (!(target as IFunction).role || Stack.of(target) !== Stack.of(this)) return;
    (target as IFunction).configureAsyncInvoke({ onFailure: new SqsDestination(this.deadLetters) });
  }

  private checkAccountOf({ env }: IEventBus): void {
    const compared = Token.compareStrings(env.account, Stack.of(this).account);
    if (compared === TokenComparison.DIFFERENT)
      throw new Error(
        `The bus is in account ${env.account}: CDK would create this rule on the bus of that name in the account of the stack. Forward its events to a bus of this account with ForwardedEvents, and subscribe to that bus.`,
      );
    if (compared === TokenComparison.ONE_UNRESOLVED)
      Annotations.of(this).addWarningV2(
        'core-account:bus-account',
        `The account of this stack is unknown, so CDK cannot compare it with account ${env.account} of the bus. In another account, CDK would create the rule on the bus of that name in the account of the stack. Set env of the stack.`,
      );
  }
}

export interface ForwardedEventsProps extends Selection {
  /** ARN of the bus of the instance, in another account: its output `EventBusArn`. */
  readonly eventBusArn: string;
  /** Properties of the bus in this account. */
  readonly bus?: EventBusProps;
}

/**
 * The events of an instance in another account, on a bus of this account. The rule is created on the other bus, by its
 * ARN; the instance must allow this account or its organization (`subscriberAccounts`, `subscriberOrganization`).
 * `EventBus.fromEventBusArn` does not work: a rule of CDK keeps only the name, and is created on the bus of that name in this account.
 * Events that the bus of this account does not accept for a day become dead letters, with an alarm.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-perms.html
 */
export class ForwardedEvents extends Construct {
  /** Bus in this account: subscribe to it. */
  readonly bus: EventBus;

  constructor(scope: Construct, id: string, props: ForwardedEventsProps) {
    super(scope, id);
    const { eventBusArn, apps, events = ALWAYS, bus, alarmAction } = props;
    this.bus = new EventBus(this, 'Bus', bus);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('events.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn] }),
    );
    const { queue } = watchedDeadLetters(
      this,
      'The bus of this account did not accept an event of an account. Fix its policy or its key, replay the archive of the instance to the rule, then purge the queue.',
      alarmAction,
    );
    const { source, detailType, ...rest } = patternOf(events, apps);
    const { attrArn } = new CfnRule(this, 'Rule', {
      description: 'Forwards the events of accounts to a bus of another account',
      eventBusName: eventBusArn,
      eventPattern: { source, 'detail-type': detailType, ...rest },
      targets: [
        {
          id: 'Bus',
          arn: this.bus.eventBusArn,
          roleArn: role.roleArn,
          deadLetterConfig: { arn: queue.queueArn },
        },
      ],
    });
    acceptFrom(queue, attrArn);
  }
}

/** A queue of events that a rule could not deliver, with an alarm at the first one. */
function watchedDeadLetters(scope: Construct, alarmDescription: string, action: IAlarmAction | undefined) {
  const queue = deadLetters(scope, 'DeadLetters');
  const alarm = new Alarm(scope, 'Alarm', {
    alarmDescription,
    metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: 'max' }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  if (action) alarm.addAlarmAction(action);
  return { queue, alarm };
}

/** Pattern of a rule for types of events, of accounts with one of the applications if any are named. */
const patternOf = (events: readonly EventType[], apps: readonly string[] = []): EventPattern => ({
  source: [EVENT_SOURCE],
  detailType: [...events],
  ...(apps.length > 0 ? { detail: { apps: [...apps] } } : {}),
});
