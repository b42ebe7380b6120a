import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { ARTICLES } from '#infra/aws/monitoring/monitoring';
import { functions } from '#lib/routes';
import { functionOf, type Resource, render, synthesize } from './synth.ts';

const stack = synthesize();
const topic = stack.one('AWS::SNS::Topic');
const alarms = stack.of('AWS::CloudWatch::Alarm').map((alarm) => ({
  ...alarm,
  name: alarm.Properties['AlarmName'] as string,
  description: alarm.Properties['AlarmDescription'] as string,
}));
const page = readFileSync(ARTICLES, 'utf8');

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}
interface MetricOf {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly Dimension[];
}

/** Every metric that an alarm reads. */
function metricsOf({ Properties }: Resource): MetricOf[] {
  if ('MetricName' in Properties) return [Properties as unknown as MetricOf];
  const queries = Properties['Metrics'] as { MetricStat?: { Metric: MetricOf } }[];
  return queries.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
}

/** `<namespace> <metric> <dimension>=<value> ...` */
const told = ({ Namespace, MetricName, Dimensions = [] }: MetricOf) =>
  [Namespace, MetricName, ...Dimensions.map(({ Name, Value }) => `${Name}=${render(Value)}`)].join(' ');

const OURS = 'CoreAccount/core-account';
const gateway = `ApiId=\${${stack.one('AWS::ApiGatewayV2::Api').id}}`;
const ofTable = (metric: string) =>
  ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'].map(
    (operation) =>
      `AWS/DynamoDB ${metric} Operation=${operation} TableName=\${${stack.one('AWS::DynamoDB::GlobalTable').id}}`,
  );

type Expected = [id: string, metrics: readonly string[], when: string, silence: string];

/** Every alarm, what it reads, and when it is raised. */
const EXPECTED: readonly Expected[] = [
  [
    'server-errors',
    [`AWS/ApiGateway 5xx ${gateway}`, `AWS/ApiGateway Count ${gateway}`],
    'GreaterThanThreshold 1 of 1',
    'notBreaching',
  ],
  ['slow-answers', [`AWS/ApiGateway Latency ${gateway}`], 'GreaterThanThreshold 3000 of 3', 'notBreaching'],
  ['function-errors', [`${OURS} FunctionErrors`], 'GreaterThanThreshold 0 of 1', 'notBreaching'],
  ['function-throttles', [`${OURS} FunctionThrottles`], 'GreaterThanThreshold 0 of 1', 'notBreaching'],
  ['table-throttles', ofTable('ThrottledRequests'), 'GreaterThanThreshold 10 of 1', 'notBreaching'],
  ['table-errors', ofTable('SystemErrors'), 'GreaterThanThreshold 10 of 1', 'notBreaching'],
  ['events-waiting', [`${OURS} OldestPendingEvent`], 'GreaterThanThreshold 600 of 3', 'notBreaching'],
  ['events-set-aside', [`${OURS} EventsSetAside`], 'GreaterThanThreshold 0 of 1', 'ignore'],
  ['sweep-stopped', [`${OURS} OldestPendingEvent`], 'LessThanThreshold 1 of 1', 'breaching'],
  [
    'rotation-failed',
    [`AWS/Lambda Errors FunctionName=\${${functionOf(stack, 'keys.rotate-signing-key').id}}`],
    'GreaterThanThreshold 0 of 1',
    'notBreaching',
  ],
  ['signing-key-old', [`${OURS} SigningKeyAge`], 'GreaterThanThreshold 92 of 1', 'ignore'],
  ['failed-logins', [`${OURS} FailedLogins`], 'GreaterThanThreshold 100 of 1', 'notBreaching'],
  ['lockouts', [`${OURS} Lockouts`], 'GreaterThanThreshold 0 of 1', 'notBreaching'],
  [
    'login-unavailable',
    [`${OURS} Outcomes Outcome=failed Route=account.login`],
    'GreaterThanThreshold 4 of 1',
    'notBreaching',
  ],
  // One queue, where jobs have one.
  ...stack
    .of('AWS::SQS::Queue')
    .map(
      ({ id }): Expected => [
        'dead-letters',
        [`AWS/SQS ApproximateNumberOfMessagesVisible QueueName=\${${id}.QueueName}`],
        'GreaterThanThreshold 0 of 1',
        'notBreaching',
      ],
    ),
];

it.each(EXPECTED)('%s reads its metrics, and is raised when it should be', (id, metrics, when, silence) => {
  const alarm = alarms.find(({ name }) => name === `core-account-${id}`) as Resource;
  const { ComparisonOperator, Threshold, EvaluationPeriods, TreatMissingData } = alarm.Properties;
  expect(metricsOf(alarm).map(told).sort()).toEqual([...metrics].sort());
  expect(`${ComparisonOperator} ${Threshold} of ${EvaluationPeriods}`).toBe(when);
  expect(TreatMissingData).toBe(silence);
});

it('there are these alarms and no others, at most 16', () => {
  expect(alarms.map(({ name }) => name).sort()).toEqual(EXPECTED.map(([id]) => `core-account-${id}`).sort());
  expect(alarms.length).toBeLessThanOrEqual(16);
});

describe.each(alarms)('$name', ({ name, description, Properties }) => {
  const id = name.replace('core-account-', '');

  it('goes to the one topic', () => {
    expect(Properties['AlarmActions']).toEqual([{ Ref: topic.id }]);
    expect(Properties).not.toHaveProperty('ActionsEnabled', false);
  });

  it('says what users lose, and links to its article', () => {
    const [, loses, anchor] =
      /^(.+) What to do: infra\/aws\/monitoring\/README\.md#([\w-]+)$/.exec(description) ?? [];
    expect(loses?.length).toBeGreaterThan(40);
    expect(anchor).toBe(id);
  });

  it('has an article that says what is seen, why, and what to do', () => {
    const [, article = ''] = page.split(`\n### ${id}\n`);
    const [own = ''] = article.split(/\n#+ /);
    for (const part of ['Seen', 'Why', 'Do'])
      expect(own).toMatch(new RegExp(`^- \\*\\*${part}:\\*\\* .{30}`, 'm'));
  });

  it('reads no metric of ours that nothing makes', () => {
    const alarm = stack.of('AWS::CloudWatch::Alarm').find((one) => one.Properties === Properties) as Resource;
    for (const { Namespace, MetricName } of metricsOf(alarm))
      if (Namespace === OURS) expect(LOG_METRICS.map((metric) => metric.name)).toContain(MetricName);
  });
});

it('every article is that of an alarm, but of dead letters, and links of the page lead to articles', () => {
  const articles = [...page.matchAll(/^### (.+)$/gm)].map(([, id]) => id);
  expect(articles.filter((id) => id !== 'dead-letters')).toEqual(
    expect.arrayContaining(EXPECTED.map(([id]) => id).filter((id) => id !== 'dead-letters')),
  );
  expect(articles.length).toBeLessThanOrEqual(EXPECTED.length + 1);
  for (const [, anchor] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(articles).toContain(anchor);
});

it('an instance of another name has metrics and alarms of its own', () => {
  const other = synthesize({ stackName: 'other' });
  for (const { Properties } of other.of('AWS::Logs::MetricFilter'))
    expect(Properties['MetricTransformations']).toMatchObject([{ MetricNamespace: 'CoreAccount/other' }]);
  for (const { Properties } of other.of('AWS::CloudWatch::Alarm'))
    expect(Properties['AlarmName']).toMatch(/^other-/);
});

describe('the topic', () => {
  const policy = stack.one('AWS::SNS::TopicPolicy').Properties['PolicyDocument'] as { Statement: object[] };

  it('takes what CloudWatch publishes for alarms of this account', () => {
    expect(policy.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: expect.objectContaining({
          StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
        }),
      }),
    );
  });

  it('refuses what comes without TLS', () => {
    expect(policy.Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });
});

it('dimensions are few: routes and outcomes, never who or from where', () => {
  const fields = LOG_METRICS.flatMap(({ dimensions = {} }) => Object.values(dimensions));
  expect([...new Set(fields)].sort()).toEqual(['$.function', '$.outcome']);
  const ids = functions.map(({ id }) => id as string);
  for (const { log } of LOG_METRICS) expect([...ids, 'api']).toContain(log);
});

it('every metric is filtered out of the log of its function', () => {
  const filters = stack.of('AWS::Logs::MetricFilter').map(({ Properties }) => {
    const [transformation] = Properties['MetricTransformations'] as {
      MetricName: string;
      MetricValue: string;
    }[];
    return [render(Properties['LogGroupName']), transformation?.MetricName, Properties['FilterPattern']].join(
      ' ',
    );
  });
  const logOf = (id: string) => {
    if (id === 'api') {
      const [group] = stack.of('AWS::Logs::LogGroup').filter((one) => /^Observabilityapi/.test(one.id));
      return `\${${group?.id}}`;
    }
    return render((functionOf(stack, id).Properties['LoggingConfig'] as { LogGroup: unknown }).LogGroup);
  };
  const expected = LOG_METRICS.map(({ name, log, pattern }) => `${logOf(log)} ${name} ${pattern}`);
  expect(filters.sort()).toEqual(expected.sort());
});
