import { Annotations, Duration, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IAlarmAction, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { type IEventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ALWAYS, type EventType } from '#lib/settings';
import { patternOf } from './pattern.ts';

export interface UserCancelSubscriptionProps {
  /** The bus of the instance, or the own one that {@link ForwardedEvents} sends to. It is of the account of the stack. */
  readonly eventBus: IEventBus;
  /** What reacts, such as `new LambdaFunction(cleanUp)`. What it says of retries and dead letters is not looked at. */
  readonly target: IRuleTarget;
  /** Only events of accounts that have one of these applications; of all unless told. */
  readonly apps?: readonly string[];
  /** Which events; unless told those that belong together: `user_cancel` and `user_reactivate`. */
  readonly events?: readonly EventType[];
  /** How long EventBridge tries; 24 hours unless told, which is the longest. */
  readonly maxEventAge?: Duration;
  /** How often EventBridge tries again; 185 times unless told, which is the most. */
  readonly retryAttempts?: number;
  /** Who is told that an event has become a dead letter. */
  readonly alarmAction?: IAlarmAction;
}

const LONGEST = Duration.hours(24);
const MOST_RETRIES = 185;
/** As long as SQS can keep a message. */
const KEPT = Duration.days(14);

/**
 * Everything that a subscriber of the events of accounts needs: a rule, retries for a day, a queue for what could not be
 * delivered all the same, and an alarm on that queue.
 *
 * @throws Error where the bus is of another account: a rule would be made on the own bus of that name, in silence
 */
export class UserCancelSubscription extends Construct {
  readonly rule: Rule;
  readonly deadLetters: Queue;
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, props: UserCancelSubscriptionProps) {
    super(scope, id);
    const { eventBus, target, maxEventAge = LONGEST, retryAttempts = MOST_RETRIES } = props;
    this.checkAccountOf(eventBus);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      retentionPeriod: KEPT,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    this.rule = new Rule(this, 'Rule', {
      description: 'What happens to accounts of the core account service',
      eventBus,
      eventPattern: patternOf(props.events ?? ALWAYS, props.apps),
    });
    this.rule.addTarget({
      bind: (rule, targetId) => ({
        ...target.bind(rule, targetId),
        deadLetterConfig: { arn: this.deadLetters.queueArn },
        retryPolicy: {
          maximumEventAgeInSeconds: maxEventAge.toSeconds(),
          maximumRetryAttempts: retryAttempts,
        },
      }),
    });
    this.deadLetters.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.deadLetters.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': this.rule.ruleArn } },
      }),
    );
    this.alarm = new Alarm(this, 'Alarm', {
      alarmDescription:
        'An event of an account could not be delivered: what it asks for was not done. Mend the target, then redrive the queue, or replay the archive to this rule.',
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'max',
      }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (props.alarmAction) this.alarm.addAlarmAction(props.alarmAction);
  }

  private checkAccountOf({ env }: IEventBus): void {
    const compared = Token.compareStrings(env.account, Stack.of(this).account);
    if (compared === TokenComparison.DIFFERENT)
      throw new Error(
        `The bus is of account ${env.account}: CDK would make this rule on the own bus of the same name. Have ForwardedEvents send its events to a bus of this account, and subscribe there.`,
      );
    if (compared === TokenComparison.ONE_UNRESOLVED)
      Annotations.of(this).addWarningV2(
        'core-account:bus-account',
        `Whether account ${env.account} of the bus is that of this stack is not known: in any other, the rule would be made on the own bus of the same name. Give the stack its env.`,
      );
  }
}
