import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OUTAGE } from '#infra/aws/monitoring/alarms';
import { LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { ARTICLES } from '#infra/aws/monitoring/monitoring';
import { contract as login } from '#lib/login/login.contract';
import { functions, needsOf } from '#lib/routes';
import prices from '../../infra/cost/prices.json' with { type: 'json' };
import { functionOf, OTHER_OPTIONS, queueOf, type Resource, render, synthesize } from './synth.ts';

const stack = synthesize();
const other = synthesize(OTHER_OPTIONS);
const pages = [...new Set(Object.values(ARTICLES))].map((path) => readFileSync(path, 'utf8'));
const articles = pages.join('\n');

interface MetricOf {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

/** Each metric that an alarm reads, as `<namespace> <metric> <dimension>=<value> ...`. */
function metricsOf({ Properties }: Resource): string[] {
  const queries = (Properties['Metrics'] ?? []) as { MetricStat?: { Metric: MetricOf } }[];
  const metrics = queries.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
  const all = 'MetricName' in Properties ? [Properties as unknown as MetricOf] : metrics;
  return all.map(({ Namespace, MetricName, Dimensions = [] }) =>
    [Namespace, MetricName, ...Dimensions.map(({ Name, Value }) => `${Name}=${render(Value)}`)].join(' '),
  );
}

const OURS = 'CoreAccount/core-account';
const gateway = `ApiId=\${${stack.one('AWS::ApiGatewayV2::Api').id}}`;
const ofGateway = (...metrics: string[]) => metrics.map((metric) => `AWS/ApiGateway ${metric} ${gateway}`);
const lambda = (id: string) => `FunctionName=\${${functionOf(stack, id).id}}`;
const sent = (kind: Parameters<typeof queueOf>[1]) =>
  `AWS/SQS NumberOfMessagesSent QueueName=\${${queueOf(stack, kind).id}.QueueName}`;
const table = `TableName=\${${stack.one('AWS::DynamoDB::GlobalTable').id}}`;
/** The operations that functions send to the table. */
const operations = functions
  .flatMap((definition) => [...needsOf(definition)].map((need) => need.split(':') as [string, string]))
  .flatMap(([place, action]) => {
    const sent = { table: action, index: 'Query', transaction: 'TransactWriteItems' }[place];
    return sent ?? [];
  });
const ofTable = (metric: string) =>
  [...new Set(operations)].map((operation) => `AWS/DynamoDB ${metric} Operation=${operation} ${table}`);
const outcomes = `${OURS} Outcomes Outcome=failed Route=${login.id}`;

/** Each statistic that an alarm reads, with its period in seconds. */
function statisticsOf({ Metrics, ...alarm }: Resource['Properties']): string {
  const stats = ((Metrics ?? []) as { MetricStat?: { Stat: string; Period: number } }[]).flatMap(
    ({ MetricStat }) => (MetricStat ? [`${MetricStat.Stat} of ${MetricStat.Period} s`] : []),
  );
  const one = `${alarm['Statistic'] ?? alarm['ExtendedStatistic']} of ${alarm['Period']} s`;
  return [...new Set(Metrics ? stats : [one])].join(', ');
}

/**
 * Each alarm: severity, metrics, statistic, threshold in how many of how many periods, and treatment of missing data.
 */
const ALARMS: [id: string, severity: string, metrics: string[], condition: string, missing: string][] = [
  ['server-errors', 'part', ofGateway('5xx', 'Count'), 'Sum of 60 s > 1 in 3 of 5', 'ok'],
  [
    'login-unavailable',
    'part',
    [outcomes, `AWS/Lambda Invocations ${lambda(login.id)}`],
    'Sum of 900 s > 5 in 1 of 1',
    'ok',
  ],
  [
    'slow-answers',
    'part',
    [`${OURS} SlowAnswers`, ...ofGateway('Count')],
    'Sum of 300 s > 1 in 3 of 3',
    'ok',
  ],
  ['sweep-stopped', 'part', [`${OURS} Sweeps`], 'Sum of 60 s < 1 in 5 of 5', 'ok'],
  ['probe-failed', 'part', [`${OURS} Probes`], 'Sum of 60 s < 1 in 3 of 3', 'missing'],
  ['events-waiting', 'page', [`${OURS} OldestPendingEvent`], 'Maximum of 60 s > 600 in 3 of 3', 'ok'],
  ['erasure-key-differs', 'page', [`${OURS} OtherErasureKeys`], 'Sum of 300 s > 0 in 1 of 1', 'ok'],
  ['undelivered-events', 'page', [sent('failed events')], 'Sum of 300 s > 0 in 1 of 1', 'ok'],
  ['events-set-aside', 'ticket', [`${OURS} EventsSetAside`], 'Maximum of 60 s > 0 in 1 of 1', 'ignore'],
  ['some-errors', 'ticket', ofGateway('5xx', 'Count'), 'Sum of 3600 s > 1 in 1 of 1', 'ok'],
  ['function-errors', 'ticket', [`${OURS} FunctionErrors`], 'Sum of 300 s > 0 in 1 of 1', 'ok'],
  ['function-throttles', 'ticket', [`${OURS} FunctionThrottles`], 'Sum of 300 s > 0 in 1 of 1', 'ok'],
  ['table-throttles', 'ticket', ofTable('ThrottledRequests'), 'Sum of 300 s > 10 in 1 of 1', 'ok'],
  ['table-errors', 'ticket', ofTable('SystemErrors'), 'Sum of 300 s > 10 in 1 of 1', 'ok'],
  ['dead-letters', 'ticket', [sent('failed jobs')], 'Sum of 300 s > 0 in 1 of 1', 'ok'],
  [
    'audit-late',
    'ticket',
    [`AWS/Lambda Errors ${lambda('audit.collect')}`],
    'Sum of 300 s > 0 in 1 of 1',
    'ok',
  ],
  ['audit-silent', 'ticket', [`${OURS} AuditHeartbeats`], 'Sum of 300 s < 1 in 3 of 3', 'ok'],
  ['audit-incomplete', 'ticket', [`${OURS} RefusedAuditLines`], 'Sum of 300 s > 0 in 1 of 1', 'ok'],
  [
    'rotation-failed',
    'ticket',
    ['signing', 'resource'].map((key) => `AWS/Lambda Errors ${lambda(`keys.rotate-${key}-key`)}`),
    'Sum of 300 s > 0 in 1 of 1',
    'ok',
  ],
  ['signing-key-old', 'ticket', [`${OURS} SigningKeyAge`], 'Maximum of 300 s > 92 in 1 of 1', 'ignore'],
  ['resource-key-missing', 'ticket', [`${OURS} MissingResourceKeys`], 'Sum of 300 s > 0 in 1 of 1', 'ok'],
  ['issuer-unreachable', 'ticket', [`${OURS} UnreachableIssuers`], 'Sum of 3600 s > 0 in 3 of 3', 'ok'],
  ['failed-logins', 'ticket', [`${OURS} FailedLogins`], 'Sum of 300 s > 100 in 1 of 1', 'ok'],
  ['lockouts', 'ticket', [`${OURS} Lockouts`], 'Sum of 300 s > 0 in 1 of 1', 'ok'],
];
const alarmNamed = (name: string, of = stack) =>
  of.of('AWS::CloudWatch::Alarm').find(({ Properties }) => Properties['AlarmName'] === name) as Resource;
const partsOfOutage = ALARMS.filter(([, severity]) => severity === 'part').map(([id]) => id);

const WORDS: Record<string, string> = {
  GreaterThanThreshold: '>',
  LessThanThreshold: '<',
  notBreaching: 'ok',
};

const topics: Record<string, object[]> = {
  page: [{ Ref: stack.of('AWS::SNS::Topic').find(({ id }) => id.startsWith('MonitoringPages'))?.id }],
  ticket: [{ Ref: stack.of('AWS::SNS::Topic').find(({ id }) => id.startsWith('MonitoringAlarms'))?.id }],
};

it('the stack has these alarms only', () => {
  const names = stack.of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties['AlarmName']);
  expect(names.sort()).toEqual(ALARMS.map(([id, severity]) => `core-account-${severity}-${id}`).sort());
});

it.each(ALARMS)(
  'the alarm %s has its metrics, its condition, its topic and its article',
  (id, severity, metrics, ...rest) => {
    const { Properties: shown, ...alarm } = alarmNamed(`core-account-${severity}-${id}`);
    const word = (name: string) => WORDS[String(shown[name])] ?? shown[name];
    expect(metricsOf({ ...alarm, Properties: shown }).sort()).toEqual(metrics.toSorted());
    const condition = `${statisticsOf(shown)} ${word('ComparisonOperator')} ${word('Threshold')} in ${word('DatapointsToAlarm')} of ${word('EvaluationPeriods')}`;
    expect([condition, word('TreatMissingData')]).toEqual(rest);
    const ended = id === 'probe-failed' ? topics['page'] : topics[severity];
    expect([shown['AlarmActions'], shown['OKActions']]).toEqual([topics[severity], ended]);
    const file = severity === 'ticket' ? 'tickets' : 'README';
    const link = `^.{40,} Remedy: infra/aws/monitoring/${file}\\.md, heading "${id}"$`;
    expect(shown['AlarmDescription']).toMatch(new RegExp(link));
    const [, article = ''] = articles.split(`\n### ${id}\n`);
    expect(article.split(/\n#+ /)[0], 'a line of a log').toMatch(/`filter\s[^`]+`/);
    for (const part of ['Symptom', 'Causes?', 'Remedy'])
      expect(article.split(/\n#+ /)[0]).toMatch(new RegExp(`^- \\*\\*${part}:\\*\\* .{30}`, 'm'));
    for (const [, name] of metrics.join('\n').matchAll(/^CoreAccount\S* (\w+)/gm))
      expect(LOG_METRICS.map((metric) => metric.name)).toContain(name);
  },
);

const FIELDS = new Set([
  ...[
    'function',
    'level',
    'message',
    'outcome',
    'ms',
    'requestId',
    'setAside',
    'keyAgeDays',
    'error.message',
    'code',
    'signs',
  ],
  ...['routeKey', 'status', 'integrationStatus', 'integrationError', 'log_level'],
]);

it('articles search for fields that lines have', () => {
  const filters = [...articles.matchAll(/`filter\s([^`|]+)/g)].map(([, text = '']) =>
    text.replaceAll(/"[^"]*"/g, ''),
  );
  const fields = filters.flatMap((text) =>
    [...text.matchAll(/([\w.]+) (?:=|!=|>|like|in)\s/g)].map(([, name]) => name),
  );
  expect(fields.length).toBeGreaterThan(20);
  expect(fields.filter((name = '') => !FIELDS.has(name))).toEqual([]);
});

it('only probe-failed pages for insufficient data, and so when it has data again', () => {
  const all = stack.of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  const silent = all.filter((alarm) => 'InsufficientDataActions' in alarm);
  expect(silent.map(({ AlarmName }) => AlarmName)).toEqual(['core-account-part-probe-failed']);
  expect(silent[0]?.['InsufficientDataActions']).toEqual(topics['page']);
});

it('an alarm links to its article when the URL of the repository is known', () => {
  const { stackName, repositoryUrl } = OTHER_OPTIONS;
  const { AlarmDescription } = alarmNamed(`${stackName}-ticket-lockouts`, other).Properties;
  expect(AlarmDescription).toContain(`${repositoryUrl}/infra/aws/monitoring/tickets.md#lockouts`);
});

const { Properties: outage, id } = stack.one('AWS::CloudWatch::CompositeAlarm');
const rule = render(outage['AlarmRule']);
it('the alarm of an outage pages once for all of its parts, and when they are over', () => {
  expect(outage).toMatchObject({
    AlarmName: `core-account-page-${OUTAGE}`,
    AlarmActions: topics['page'],
    OKActions: topics['page'],
  });
  expect(articles).toContain(`\n### ${OUTAGE}\n`);
});

it('the alarm of an outage fires for each of its parts, and for no other alarm', () => {
  const parts = partsOfOutage.map((part) => `ALARM("\${${alarmNamed(`core-account-part-${part}`).id}.Arn}")`);
  expect(rule).toMatch(/^\(.*\)$/);
  expect(rule.slice(1, -1).split(' OR ').sort()).toEqual(parts.sort());
});

it('the alarm of an outage and the others that page roll an update back', () => {
  const command = render(stack.outputs['RollbackTriggersCommand']?.Value);
  const [, json = ''] = /--rollback-configuration '(.*)'$/.exec(command) ?? [];
  const pages = ['events-waiting', 'undelivered-events', 'erasure-key-differs'].map((page) => ({
    Arn: `\${${alarmNamed(`core-account-page-${page}`).id}.Arn}`,
    Type: 'AWS::CloudWatch::Alarm',
  }));
  expect(JSON.parse(json)).toEqual({
    RollbackTriggers: [{ Arn: `\${${id}.Arn}`, Type: 'AWS::CloudWatch::CompositeAlarm' }, ...pages],
    MonitoringTimeInMinutes: 10,
  });
});

it('pages go to the topic of an on-call service when one is named', () => {
  const { alarmTopicArn } = OTHER_OPTIONS;
  expect(other.one('AWS::CloudWatch::CompositeAlarm').Properties['AlarmActions']).toEqual([alarmTopicArn]);
  expect(other.outputs['PageTopicArn']?.Value).toBe(alarmTopicArn);
  expect(other.of('AWS::SNS::Topic')).toHaveLength(1);
});

it('each article belongs to an alarm, and links of the page lead to articles', () => {
  const ids = [...articles.matchAll(/^### (.+)$/gm)].map(([, id]) => id);
  expect(ids.sort()).toEqual([OUTAGE, ...ALARMS.map(([id]) => id)].sort());
  for (const [, anchor] of articles.matchAll(/\]\((?:README\.md|tickets\.md)?#([^)]+)\)/g))
    expect(ids).toContain(anchor);
});

it('each topic accepts alarms of this account, and nothing without TLS', () => {
  const policies = stack.of('AWS::SNS::TopicPolicy').map(({ Properties }) => Properties['PolicyDocument']);
  expect(policies).toHaveLength(2);
  const isAccount = {
    StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
    ArnLike: { 'aws:SourceArn': expect.objectContaining({ 'Fn::Join': expect.anything() }) },
  };
  const Principal = { Service: 'cloudwatch.amazonaws.com' };
  const alarm = { Effect: 'Allow', Action: 'sns:Publish', Principal };
  const withoutTls = { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
  for (const { Statement } of policies as { Statement: object[] }[])
    expect(Statement).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...alarm, Condition: expect.objectContaining(isAccount) }),
        expect.objectContaining(withoutTls),
      ]),
    );
});

it('a metric is the value of a field exactly when an alarm compares its maximum', () => {
  const maxima = ALARMS.filter(([, , , condition]) => condition.startsWith('Maximum'));
  const names = maxima.flatMap(([, , metrics]) => metrics.map((metric) => metric.split(' ')[1]));
  const valued = LOG_METRICS.filter(({ value }) => value !== undefined).map(({ name }) => name);
  expect(valued.sort()).toEqual(names.sort());
});

it('the floor of the costs counts the secrets, and the metrics of alarms and of log lines', () => {
  const partOf = (price: string) => prices.floor.find((part) => part.price === price);
  const alarmMetrics = ALARMS.reduce((sum, [, , metrics]) => sum + metrics.length, 0);
  expect(partOf('alarmMetric')?.units).toBe(alarmMetrics);
  expect(partOf('secret')?.units).toBe(stack.of('AWS::SecretsManager::Secret').length);
  // For each endpoint: two values of Outcomes, one of ColdStarts.
  expect(partOf('customMetric')).toMatchObject({ units: LOG_METRICS.length - 2, perEndpoint: 3 });
});
