import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Code, Function as LambdaFn, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import { UserCancelSubscription, type UserCancelSubscriptionProps } from '#infra/aws/subscriber/constructs';
import { Subscriber } from '#infra/aws/subscriber/example';

const [OWN, OTHER] = ['444455556666', '111122223333'];
const env = { account: OWN, region: 'eu-central-1' };
const CODE = { code: Code.fromInline('0'), handler: 'index.handler', runtime: Runtime.NODEJS_24_X };
const busOf = (account: string) => `arn:aws:events:eu-central-1:${account}:event-bus/core-account`;

/** A stack with a subscription, by default on a bus of its own account, and the queue that is its target. */
function subscribe(
  props: (stack: Stack) => Partial<UserCancelSubscriptionProps> = () => ({}),
  within: { env?: typeof env } = { env },
) {
  const stack = new Stack(new App(), 'Subscriber', within);
  const eventBus = EventBus.fromEventBusName(stack, 'Bus', 'core-account');
  const target = new SqsQueue(new Queue(stack, 'Target'));
  new UserCancelSubscription(stack, 'Subscription', { eventBus, target, ...props(stack) });
  return stack;
}
const onBusOf = (account: string) => (stack: Stack) => ({
  eventBus: EventBus.fromEventBusArn(stack, 'Imported', busOf(account)),
});

const byDefault = Template.fromStack(subscribe());
/** A stack with every property, and a function with its own configuration of asynchronous invocations. */
const chosen = Template.fromStack(
  subscribe((stack) => {
    const target = new LambdaFunction(new LambdaFn(stack, 'Own', { ...CODE, retryAttempts: 1 }));
    const alarmAction = new SnsAction(new Topic(stack, 'Topic'));
    return { apps: ['crm', 'erp'], events: ['user_lock'], target, alarmAction };
  }),
);
const example = Template.fromStack(
  new Subscriber(new App(), 'account-subscriber', { env, eventBusArn: busOf(OTHER) }),
);

const refTo = (id: string) => ({ Ref: Match.stringLikeRegexp(id) });
const arnOf = (id: string) => ({ 'Fn::GetAtt': [Match.stringLikeRegexp(id), 'Arn'] });
const pattern = (types: string[], detail?: object) => ({
  source: ['core.account'],
  'detail-type': types,
  ...(detail && { detail }),
});
const BOTH = ['user_cancel', 'user_reactivate', 'user_erase'];
const send = {
  Effect: 'Allow',
  Principal: { Service: 'events.amazonaws.com' },
  Action: 'sqs:SendMessage',
  Condition: { ArnEquals: { 'aws:SourceArn': arnOf('Rule') } },
};
const forward = { Action: 'events:PutEvents', Effect: 'Allow', Resource: arnOf('EventsBus') };

const retriedRule = {
  EventBusName: 'core-account',
  EventPattern: pattern(BOTH),
  State: 'ENABLED',
  Targets: [{ RetryPolicy: Match.absent(), DeadLetterConfig: { Arn: arnOf('DeadLetters') } }],
};
const queuePolicy = {
  Queues: [refTo('DeadLetters')],
  PolicyDocument: { Statement: Match.arrayWith([Match.objectLike(send)]) },
};
const alarm = {
  Namespace: 'AWS/SQS',
  MetricName: 'ApproximateNumberOfMessagesVisible',
  Statistic: 'Maximum',
  Period: 60,
  Threshold: 0,
  ComparisonOperator: 'GreaterThanThreshold',
  TreatMissingData: 'notBreaching',
};
const limitedRule = { EventPattern: pattern(['user_lock'], { apps: ['crm', 'erp'] }) };
const forwardingRule = {
  EventBusName: busOf(OTHER),
  EventPattern: pattern(BOTH, { apps: ['crm'] }),
  Targets: [
    {
      Arn: arnOf('EventsBus'),
      RoleArn: arnOf('EventsRole'),
      DeadLetterConfig: { Arn: arnOf('EventsDeadLetters') },
    },
  ],
};
const letIn = {
  Queues: [refTo('EventsDeadLetters')],
  PolicyDocument: {
    Statement: Match.arrayWith([
      Match.objectLike({ ...send, Condition: { ArnEquals: { 'aws:SourceArn': arnOf('EventsRule') } } }),
    ]),
  },
};
const ownRule = { EventBusName: refTo('EventsBus'), Targets: [{ Arn: arnOf('CleanUp') }] };
const afterTwoRetries = {
  FunctionName: refTo('CleanUp'),
  DestinationConfig: { OnFailure: { Destination: arnOf('DeadLetters') } },
};
const asConfigured = { MaximumRetryAttempts: 1, DestinationConfig: Match.absent() };
const environment = { Environment: { Variables: { CUSTOMERS_TABLE: refTo('Customers') } } };
const kept = { MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true };

it.each<[string, Template, string, object]>([
  ['is a rule for both events, with the retries of EventBridge,', byDefault, 'Events::Rule', retriedRule],
  ['keeps dead letters for 14 days, encrypted', byDefault, 'SQS::Queue', kept],
  ['lets its rule send dead letters', byDefault, 'SQS::QueuePolicy', queuePolicy],
  ['raises an alarm at the first dead letter', byDefault, 'CloudWatch::Alarm', alarm],
  ['sends its alarm to the given topic', chosen, 'CloudWatch::Alarm', { AlarmActions: [refTo('Topic')] }],
  ['may be limited to applications and events', chosen, 'Events::Rule', limitedRule],
  ['of the example forwards events to its own bus', example, 'Events::Rule', forwardingRule],
  ['of the example keeps events that its own bus does not accept', example, 'SQS::QueuePolicy', letIn],
  ['of the example has a bus with the given name', example, 'Events::EventBus', { Name: 'account-events' }],
  ['of the example may forward events', example, 'IAM::Policy', { PolicyDocument: { Statement: [forward] } }],
  ['of the example invokes its function from its own bus', example, 'Events::Rule', ownRule],
  ['keeps events that its function fails to process', example, 'Lambda::EventInvokeConfig', afterTwoRetries],
  ['keeps the configuration of its function', chosen, 'Lambda::EventInvokeConfig', asConfigured],
  ['of the example leads its function to the table', example, 'Lambda::Function', environment],
])('a subscription %s', (_what, template, type, properties) => {
  template.hasResourceProperties(`AWS::${type}`, properties);
});

it('a subscription to a bus of another account is refused, since CDK would use the own bus of that name', () => {
  expect(() => subscribe(onBusOf(OTHER))).toThrow(/in account 111122223333: .*ForwardedEvents/);
  expect(() => subscribe(onBusOf(OWN))).not.toThrow();
});

it('a subscription leaves the failures of imported functions, and of other stacks, to them', () => {
  const other = (stack: Stack) =>
    new LambdaFn(new Stack(stack.node.root as App, 'Functions', { env }), 'Other', CODE);
  const arn = `arn:aws:lambda:eu-central-1:${OWN}:function:other`;
  const imported = (stack: Stack) => LambdaFn.fromFunctionArn(stack, 'Imported', arn);
  for (const find of [other, imported])
    Template.fromStack(subscribe((stack) => ({ target: new LambdaFunction(find(stack)) }))).resourceCountIs(
      'AWS::Lambda::EventInvokeConfig',
      0,
    );
});

it('a subscription warns when the account of the stack is unknown', () => {
  const unknown = Annotations.fromStack(subscribe(onBusOf(OTHER), {}));
  unknown.hasWarning('*', Match.stringLikeRegexp('is unknown'));
  Annotations.fromStack(subscribe(undefined, {})).hasNoWarning('*', Match.anyValue());
});
