import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { collectAudit } from '#lib/audit/jobs';
import { ALL_EVENTS, exampleOf } from '#lib/event/events';
import { jobs } from '#lib/routes';
import { EVERY_OPTION, functionOf, invokersOf, queueOf, type Resource, render, synthesize } from './synth.ts';

const stack = synthesize();
const bus = stack.one('AWS::Events::EventBus');
const arnOf = (resource: Resource | undefined) => ({ 'Fn::GetAtt': [resource?.id, 'Arn'] });
const failures = arnOf(queueOf(stack, 'failed jobs'));
const failedEvents = arnOf(queueOf(stack, 'failed events'));

/** The policies of the queues permit EventBridge to send undelivered events of this resource to a queue. */
function expectSender(source: Resource | undefined, queue: object): void {
  const statements = stack
    .of('AWS::SQS::QueuePolicy')
    .flatMap(({ Properties }) => (Properties['PolicyDocument'] as { Statement: object[] }).Statement);
  expect(statements).toContainEqual(
    expect.objectContaining({
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: queue,
      Condition: { ArnEquals: { 'aws:SourceArn': arnOf(source) } },
    }),
  );
}

const scheduled = jobs.flatMap(({ id, trigger }) => {
  if (trigger === 'probe') return [{ id, everyMinutes: 1 }];
  return typeof trigger === 'string' ? [] : [{ id, everyMinutes: trigger.everyMinutes }];
});

/** Schedules as EventBridge writes them, by their minutes. */
const RATES: Readonly<Record<number, string>> = {
  1: 'rate(1 minute)',
  5: 'rate(5 minutes)',
  60: 'rate(1 hour)',
};

const toFailures = { OnFailure: { Destination: failures } };
/** The configuration of asynchronous invocations of a job. */
const configOf = (id: string) =>
  stack
    .of('AWS::Lambda::EventInvokeConfig')
    .find(({ Properties }) => render(Properties['FunctionName']) === `\${${functionOf(stack, id).id}}`)
    ?.Properties;

it('the collector of audit lines is repeated, then leaves the lines in the queue', () => {
  const { MaximumRetryAttempts, DestinationConfig } = configOf(collectAudit.id) ?? {};
  expect([MaximumRetryAttempts, DestinationConfig]).toEqual([undefined, toFailures]);
});

describe.each(scheduled)('the schedule of $id', ({ id, everyMinutes }) => {
  const fn = functionOf(stack, id);
  const rule = stack.of('AWS::Events::Rule').find(({ Properties }) => {
    const [target] = Properties['Targets'] as { Arn: unknown }[];
    return render(target?.Arn) === `\${${fn.id}.Arn}`;
  });

  it('is the only one, and the only one to invoke it', () => {
    expect(stack.of('AWS::Events::Rule')).toHaveLength(scheduled.length);
    expect(rule?.Properties).toMatchObject({ ScheduleExpression: RATES[everyMinutes], State: 'ENABLED' });
    expect(invokersOf(stack, fn)).toEqual([`events.amazonaws.com for \${${rule?.id}.Arn}`]);
  });

  it('does not repeat a failed run nor start it late, and leaves it in the queue', () => {
    const RetryPolicy = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: everyMinutes * 60 };
    expect(configOf(id)).toMatchObject({ ...RetryPolicy, DestinationConfig: toFailures });
    expect(rule?.Properties['Targets']).toMatchObject([{ RetryPolicy, DeadLetterConfig: { Arn: failures } }]);
    expectSender(rule, failures);
  });
});

it('the bus logs undelivered events without their details, and leaves in the queue those that it cannot accept', () => {
  expect(bus.Properties).toMatchObject({
    LogConfig: { Level: 'ERROR', IncludeDetail: 'NONE' },
    DeadLetterConfig: { Arn: failedEvents },
  });
  expectSender(bus, failedEvents);
  const source = stack.one('AWS::Logs::DeliverySource');
  const destination = stack.one('AWS::Logs::DeliveryDestination');
  const log = stack
    .of('AWS::Logs::LogGroup')
    .find(({ Properties }) => Properties['LogGroupName'] === '/aws/vendedlogs/core-account/bus');
  expect(source.Properties).toMatchObject({ LogType: 'ERROR_LOGS', ResourceArn: arnOf(bus) });
  expect(destination.Properties).toMatchObject({ DestinationResourceArn: arnOf(log) });
  expect(stack.one('AWS::Logs::Delivery')).toMatchObject({
    Properties: { DeliverySourceName: source.Properties['Name'], DeliveryDestinationArn: arnOf(destination) },
    DependsOn: [source.id],
  });
});

const registry = `\${${stack.one('AWS::EventSchemas::Registry').id}.RegistryName}`;
const schemas = stack.of('AWS::EventSchemas::Schema');

it.each(ALL_EVENTS.map((event, nth) => [event.type, event, nth] as const))(
  'the schema registry has a schema of the whole event %s, which accepts its example and no other type',
  (type, event, nth) => {
    const { RegistryName, SchemaName, Type, Content } = schemas[nth]?.Properties ?? {};
    expect([render(RegistryName), SchemaName, Type]).toEqual([registry, `core.account@${type}`, 'OpenApi3']);
    expect(schemas).toHaveLength(ALL_EVENTS.length);
    const { AWSEvent, ...details } = JSON.parse(Content as string).components.schemas;
    const ajv = formats.default(new Ajv({ strict: false }));
    const validate = ajv.compile({ ...AWSEvent, components: { schemas: details } });
    const whole = {
      version: '0',
      id: '17793124-05d4-b198-2fde-7ededc63b103',
      'detail-type': type,
      source: 'core.account',
      account: '111122223333',
      time: '2026-11-20T05:30:00Z',
      region: 'eu-central-1',
      resources: [],
      detail: exampleOf(event),
    };
    expect([validate(whole), validate.errors]).toEqual([true, null]);
    expect(validate({ ...whole, detail: { ...whole.detail, id: 7 } })).toBe(false);
    expect(AWSEvent).toMatchObject({
      'x-amazon-events-detail-type': type,
      'x-amazon-events-source': 'core.account',
    });
  },
);

it('no other account may have a rule on the bus by default', () => {
  expect(stack.of('AWS::Events::EventBusPolicy')).toEqual([]);
});

const { subscriberAccounts, subscriberOrganization } = EVERY_OPTION;
const roots = subscriberAccounts.map((id) => `arn:\${AWS::Partition}:iam::${id}:root`);
const organization = { StringEquals: { 'aws:PrincipalOrgID': subscriberOrganization } };
const policies = synthesize(EVERY_OPTION).of('AWS::Events::EventBusPolicy');

it.each([
  ['named accounts', 0, roots, {}],
  ['the accounts of an organization', 1, ['*'], organization],
])('%s may create rules, and change their own only', (_name, nth, principals, condition) => {
  expect(policies).toHaveLength(2);
  const policy = policies[nth]?.Properties ?? {};
  expect(render(policy['EventBusName'])).toBe(`\${${bus.id}}`);
  const { Effect, Principal, Action, Resource, Condition } = policy['Statement'] as Record<string, unknown>;
  expect([(Principal as { AWS: unknown }).AWS].flat().map(render)).toEqual(principals);
  const rules = `arn:\${AWS::Partition}:events:\${AWS::Region}:\${AWS::AccountId}:rule/\${${bus.id}}/*`;
  expect([Effect, render(Resource)]).toEqual(['Allow', rules]);
  expect(Condition).toEqual({
    ...condition,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM
    StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' },
  });
  const actions = ['Put', 'Delete', 'Describe', 'Disable', 'Enable'].map((verb) => `${verb}Rule`);
  const all = [...actions, 'PutTargets', 'RemoveTargets', 'ListTargetsByRule'];
  expect(Action).toEqual(all.map((action) => `events:${action}`));
});
