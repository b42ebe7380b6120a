import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { Subscriber } from '#infra/aws/example/main';
import {
  UserCancelSubscription,
  type UserCancelSubscriptionProps,
} from '#infra/aws/subscriber/user-cancel-subscription';

const [OWN, OTHER] = ['444455556666', '111122223333'];
const env = { account: OWN, region: 'eu-central-1' };
const busOf = (account: string) => `arn:aws:events:eu-central-1:${account}:event-bus/core-account`;

/** A stack with a subscription, and the queue that is its target. */
function subscribe(props: Partial<UserCancelSubscriptionProps> = {}, within: { env?: typeof env } = { env }) {
  const stack = new Stack(new App(), 'Subscriber', within);
  const eventBus = EventBus.fromEventBusName(stack, 'Bus', 'core-account');
  const target = new SqsQueue(new Queue(stack, 'Target'), { retryAttempts: 1 });
  new UserCancelSubscription(stack, 'Subscription', { eventBus, target, ...props });
  return { stack, template: Template.fromStack(stack) };
}

describe('a subscription', () => {
  it('is a rule on the bus for both events that belong together, tried for a day and then kept', () => {
    const { template } = subscribe();
    template.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: 'core-account',
      EventPattern: { source: ['core.account'], 'detail-type': ['user_cancel', 'user_reactivate'] },
      State: 'ENABLED',
      Targets: [
        {
          RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('DeadLetters'), 'Arn'] } },
        },
      ],
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 1_209_600,
      SqsManagedSseEnabled: true,
    });
  });

  it('lets the rule, and nobody else, leave dead letters', () => {
    subscribe().template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      Queues: [{ Ref: Match.stringLikeRegexp('DeadLetters') }],
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Condition: {
              ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [Match.stringLikeRegexp('Rule'), 'Arn'] } },
            },
          }),
        ]),
      },
    });
  });

  it('alarms on the first dead letter, and tells whom it is given', () => {
    subscribe().template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    });
    const stack = new Stack(new App(), 'Told', { env });
    const alarmAction = new SnsAction(new Topic(stack, 'Topic'));
    const eventBus = EventBus.fromEventBusName(stack, 'Bus', 'core-account');
    const target = new SqsQueue(new Queue(stack, 'Target'));
    new UserCancelSubscription(stack, 'Subscription', { eventBus, target, alarmAction });
    Template.fromStack(stack).hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmActions: [{ Ref: Match.stringLikeRegexp('Topic') }],
    });
  });

  it('can be of some applications, and of other events', () => {
    const { template } = subscribe({ apps: ['crm', 'erp'], events: ['user_lock'] });
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['core.account'],
        'detail-type': ['user_lock'],
        detail: { apps: ['crm', 'erp'] },
      },
    });
  });

  it('is refused on a bus of another account, where CDK would take the own bus of that name', () => {
    const stack = new Stack(new App(), 'Subscriber', { env });
    const target = new SqsQueue(new Queue(stack, 'Target'));
    const on = (account: string) => () =>
      new UserCancelSubscription(stack, `On${account}`, {
        eventBus: EventBus.fromEventBusArn(stack, `Bus${account}`, busOf(account)),
        target,
      });
    expect(on(OTHER)).toThrow(/of account 111122223333: .*ForwardedEvents/);
    expect(on(OWN)).not.toThrow();
  });

  it('warns where it cannot know whose bus it is', () => {
    const stack = new Stack(new App(), 'Anywhere');
    const target = new SqsQueue(new Queue(stack, 'Target'));
    const eventBus = EventBus.fromEventBusArn(stack, 'Bus', busOf(OTHER));
    new UserCancelSubscription(stack, 'Subscription', { eventBus, target });
    Annotations.fromStack(stack).hasWarning('*', Match.stringLikeRegexp('is not known'));
    const known = subscribe({}, {});
    Annotations.fromStack(known.stack).hasNoWarning('*', Match.anyValue());
  });
});

describe('the worked example in two accounts', () => {
  const template = Template.fromStack(
    new Subscriber(new App(), 'account-subscriber', { env, eventBusArn: busOf(OTHER) }),
  );

  it('makes its rule on the bus over there, by its ARN, and sends on to the own bus with a role', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: busOf(OTHER),
      EventPattern: {
        source: ['core.account'],
        'detail-type': ['user_cancel', 'user_reactivate'],
        detail: { apps: ['crm'] },
      },
      Targets: [
        {
          Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('EventsBus'), 'Arn'] },
          RoleArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('EventsRole'), 'Arn'] },
        },
      ],
    });
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [
          {
            Action: 'events:PutEvents',
            Effect: 'Allow',
            Resource: { 'Fn::GetAtt': [Match.stringLikeRegexp('EventsBus'), 'Arn'] },
          },
        ],
      },
    });
  });

  it('subscribes its function there, which may write its table', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: { Ref: Match.stringLikeRegexp('EventsBus') },
      Targets: [{ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('CleanUp'), 'Arn'] } }],
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { CUSTOMERS_TABLE: { Ref: Match.stringLikeRegexp('Customers') } } },
    });
  });
});
