import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, it } from 'vitest';
import { EVENTS, exampleOf } from '#lib/event/events';
import { jobs } from '#lib/routes';
import { functionOf, invokersOf, render, synthesize } from './synth.ts';

const LOG = '/aws/vendedlogs/core-account/bus';
const stack = synthesize();
const bus = stack.one('AWS::Events::EventBus');
const scheduled = jobs.flatMap(({ id, trigger }) =>
  typeof trigger === 'string' ? [] : [{ id, everyMinutes: trigger.everyMinutes }],
);

const ruleOf = (id: string) => {
  const fn = functionOf(stack, id);
  return stack.of('AWS::Events::Rule').find(({ Properties }) => {
    const [target] = Properties['Targets'] as { Arn: unknown }[];
    return render(target?.Arn) === `\${${fn.id}.Arn}`;
  });
};

it('an instance publishes to a bus of its own, named after it', () => {
  expect(bus.Properties).toMatchObject({ Name: 'core-account' });
});

it('subscribers can replay the events of 90 days', () => {
  expect(stack.one('AWS::Events::Archive').Properties).toMatchObject({
    SourceArn: { 'Fn::GetAtt': [bus.id, 'Arn'] },
    EventPattern: { account: [{ Ref: 'AWS::AccountId' }] },
    RetentionDays: 90,
  });
});

it('there is a schedule for every job that has one and no other', () => {
  expect(scheduled.length).toBeGreaterThan(0);
  expect(stack.of('AWS::Events::Rule')).toHaveLength(scheduled.length);
});

it.each(scheduled)(
  '$id runs every $everyMinutes minutes, started by its own schedule only',
  ({ id, everyMinutes }) => {
    const rule = ruleOf(id);
    expect(rule?.Properties).toMatchObject({
      ScheduleExpression: everyMinutes === 1 ? 'rate(1 minute)' : `rate(${everyMinutes} minutes)`,
      State: 'ENABLED',
    });
    expect(invokersOf(stack, functionOf(stack, id))).toEqual([
      `events.amazonaws.com for \${${rule?.id}.Arn}`,
    ]);
  },
);

it.each(scheduled)('$id is not run again when it fails: its next run is the repetition', ({ id }) => {
  const fn = functionOf(stack, id);
  const config = stack
    .of('AWS::Lambda::EventInvokeConfig')
    .find(({ Properties }) => render(Properties['FunctionName']) === `\${${fn.id}}`);
  expect(config?.Properties).toMatchObject({ MaximumRetryAttempts: 0 });
  expect(ruleOf(id)?.Properties['Targets']).toMatchObject([{ RetryPolicy: { MaximumRetryAttempts: 0 } }]);
});

it.each(scheduled)('$id leaves a run that failed in the queue of failures, whoever noticed', ({ id }) => {
  const fn = functionOf(stack, id);
  const failures = { 'Fn::GetAtt': [stack.one('AWS::SQS::Queue').id, 'Arn'] };
  const config = stack
    .of('AWS::Lambda::EventInvokeConfig')
    .find(({ Properties }) => render(Properties['FunctionName']) === `\${${fn.id}}`);
  expect(config?.Properties['DestinationConfig']).toEqual({ OnFailure: { Destination: failures } });
  expect(ruleOf(id)?.Properties['Targets']).toMatchObject([{ DeadLetterConfig: { Arn: failures } }]);
  const sender = { Principal: { Service: 'events.amazonaws.com' }, Action: 'sqs:SendMessage' };
  const source = { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [ruleOf(id)?.id, 'Arn'] } } };
  expect(stack.one('AWS::SQS::QueuePolicy').Properties).toMatchObject({
    PolicyDocument: {
      Statement: expect.arrayContaining([expect.objectContaining({ ...sender, Condition: source })]),
    },
  });
});

it('the bus tells in a log what it could not deliver, without what it says, and leaves in the queue what it could not take on', () => {
  const queue = { 'Fn::GetAtt': [stack.one('AWS::SQS::Queue').id, 'Arn'] };
  expect(bus.Properties).toMatchObject({
    LogConfig: { Level: 'ERROR', IncludeDetail: 'NONE' },
    DeadLetterConfig: { Arn: queue },
  });
  expect(stack.one('AWS::SQS::QueuePolicy').Properties).toMatchObject({
    PolicyDocument: {
      Statement: expect.arrayContaining([
        expect.objectContaining({
          Principal: { Service: 'events.amazonaws.com' },
          Action: 'sqs:SendMessage',
          Resource: queue,
          Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [bus.id, 'Arn'] } } },
        }),
      ]),
    },
  });
  const source = stack.one('AWS::Logs::DeliverySource');
  const destination = stack.one('AWS::Logs::DeliveryDestination');
  expect(source.Properties).toMatchObject({
    LogType: 'ERROR_LOGS',
    ResourceArn: { 'Fn::GetAtt': [bus.id, 'Arn'] },
  });
  const log = stack.all.find(({ Properties = {} }) => Properties['LogGroupName'] === LOG);
  expect(log?.Type).toBe('AWS::Logs::LogGroup');
  expect(destination.Properties).toMatchObject({
    DestinationResourceArn: { 'Fn::GetAtt': [log?.id, 'Arn'] },
  });
  expect(stack.one('AWS::Logs::Delivery')).toMatchObject({
    Properties: {
      DeliverySourceName: source.Properties['Name'],
      DeliveryDestinationArn: { 'Fn::GetAtt': [destination.id, 'Arn'] },
    },
    DependsOn: [source.id],
  });
});

it('the schema of every event stands in a registry, as a whole event that its example is one of', () => {
  const registry = stack.one('AWS::EventSchemas::Registry');
  const schemas = stack.of('AWS::EventSchemas::Schema');
  expect(schemas.map(({ Properties }) => Properties['SchemaName'])).toEqual(
    EVENTS.map(({ type }) => `core.account@${type}`),
  );
  for (const [n, { Properties }] of schemas.entries()) {
    expect(render(Properties['RegistryName'])).toBe(`\${${registry.id}.RegistryName}`);
    expect(Properties['Type']).toBe('OpenApi3');
    const event = EVENTS[n] as (typeof EVENTS)[number];
    const { AWSEvent, ...details } = JSON.parse(Properties['Content'] as string).components.schemas;
    const ajv = formats.default(new Ajv({ strict: false }));
    const validate = ajv.compile({ ...AWSEvent, components: { schemas: details } });
    const whole = {
      version: '0',
      id: '17793124-05d4-b198-2fde-7ededc63b103',
      'detail-type': event.type,
      source: 'core.account',
      account: '111122223333',
      time: '2026-11-20T05:30:00Z',
      region: 'eu-central-1',
      resources: [],
      detail: exampleOf(event),
    };
    expect([validate(whole), validate.errors]).toEqual([true, null]);
    expect(validate({ ...whole, detail: { ...whole.detail, userid: 7 } })).toBe(false);
    expect(AWSEvent).toMatchObject({
      'x-amazon-events-detail-type': event.type,
      'x-amazon-events-source': 'core.account',
    });
  }
});

it('nobody else has a rule on the bus unless a stage names them', () => {
  expect(stack.of('AWS::Events::EventBusPolicy')).toEqual([]);
});

const SUBSCRIBERS = [
  {
    name: 'named accounts',
    context: { subscriberAccounts: ['111122223333', '444455556666'] },
    Principal: {
      AWS: ['111122223333', '444455556666'].map((id) => `arn:\${AWS::Partition}:iam::${id}:root`),
    },
    Condition: {},
  },
  {
    name: 'the accounts of an organization',
    context: { subscriberOrganization: 'o-a1b2c3d4e5' },
    Principal: { AWS: ['*'] },
    Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-a1b2c3d4e5' } },
  },
];

it.each(SUBSCRIBERS)('$name may make rules, and change only those that they made', (one) => {
  const policy = synthesize(one.context).one('AWS::Events::EventBusPolicy');
  expect(render(policy.Properties['EventBusName'])).toBe(`\${${bus.id}}`);
  const statement = policy.Properties['Statement'] as Record<string, unknown>;
  const { AWS } = statement['Principal'] as { AWS: unknown };
  expect({ AWS: [AWS].flat().map(render) }).toEqual(one.Principal);
  expect(render(statement['Resource'])).toBe(
    `arn:\${AWS::Partition}:events:\${AWS::Region}:\${AWS::AccountId}:rule/\${${bus.id}}/*`,
  );
  expect(statement).toMatchObject({ Effect: 'Allow' });
  expect(statement['Condition']).toEqual({
    ...one.Condition,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM
    StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' },
  });
  for (const action of statement['Action'] as string[])
    expect(action).toMatch(/^events:(\w+Rule|\w+Targets|ListTargetsByRule)$/);
});
