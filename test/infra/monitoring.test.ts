import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GATEWAY_LOG, LOG_METRICS } from '#infra/aws/monitoring/log-metrics';
import { ARTICLES } from '#infra/aws/monitoring/monitoring';
import { login } from '#lib/account/contracts';
import { functions } from '#lib/routes';
import { matches } from './filter-pattern.ts';
import { functionOf, logGroupOf, type Resource, render, synthesize } from './synth.ts';

const stack = synthesize();
const articles = readFileSync(ARTICLES, 'utf8');

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
const rotation = `FunctionName=\${${functionOf(stack, 'keys.rotate-signing-key').id}}`;
const queue = `QueueName=\${${stack.one('AWS::SQS::Queue').id}.QueueName}`;
const table = `TableName=\${${stack.one('AWS::DynamoDB::GlobalTable').id}}`;
const OPERATIONS = 'GetItem BatchGetItem Query PutItem UpdateItem DeleteItem TransactWriteItems'.split(' ');
const ofTable = (metric: string) =>
  OPERATIONS.map((operation) => `AWS/DynamoDB ${metric} Operation=${operation} ${table}`);
const outcomes = `${OURS} Outcomes Outcome=failed Route=${login.id}`;

/** Each alarm: its metrics, its threshold in how many periods, and how it takes missing data. */
const ALARMS: [id: string, metrics: string[], condition: string, missing: string][] = [
  ['server-errors', ofGateway('5xx', 'Count'), '> 1 of 1', 'ok'],
  ['slow-answers', ofGateway('Latency'), '> 3000 of 3', 'ok'],
  ['function-errors', [`${OURS} FunctionErrors`], '> 0 of 1', 'ok'],
  ['function-throttles', [`${OURS} FunctionThrottles`], '> 0 of 1', 'ok'],
  ['table-throttles', ofTable('ThrottledRequests'), '> 10 of 1', 'ok'],
  ['table-errors', ofTable('SystemErrors'), '> 10 of 1', 'ok'],
  ['events-waiting', [`${OURS} OldestPendingEvent`], '> 600 of 3', 'ok'],
  ['events-set-aside', [`${OURS} EventsSetAside`], '> 0 of 1', 'ignore'],
  ['dead-letters', [`AWS/SQS ApproximateNumberOfMessagesVisible ${queue}`], '> 0 of 1', 'ok'],
  ['sweep-stopped', [`${OURS} OldestPendingEvent`], '< 1 of 1', 'breaching'],
  ['rotation-failed', [`AWS/Lambda Errors ${rotation}`], '> 0 of 1', 'ok'],
  ['signing-key-old', [`${OURS} SigningKeyAge`], '> 92 of 1', 'ignore'],
  ['failed-logins', [`${OURS} FailedLogins`], '> 100 of 1', 'ok'],
  ['lockouts', [`${OURS} Lockouts`], '> 0 of 1', 'ok'],
  ['login-unavailable', [outcomes], '> 4 of 1', 'ok'],
];

const WORDS: Record<string, string> = {
  GreaterThanThreshold: '>',
  LessThanThreshold: '<',
  notBreaching: 'ok',
};
const wordFor = (value: unknown) => WORDS[String(value)] ?? value;

it('the stack has these alarms only', () => {
  const names = stack.of('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties['AlarmName']);
  expect(names.sort()).toEqual(ALARMS.map(([id]) => `core-account-${id}`).sort());
});

it.each(ALARMS)(
  'the alarm %s has its metrics, its condition, its topic and its article',
  (id, metrics, ...rest) => {
    const alarm = stack
      .of('AWS::CloudWatch::Alarm')
      .find(({ Properties }) => Properties['AlarmName'] === `core-account-${id}`) as Resource;
    const texts = Object.entries(alarm.Properties).map(([name, value]) => [name, wordFor(value)]);
    const shown: Record<string, unknown> = Object.fromEntries(texts);
    expect(metricsOf(alarm).sort()).toEqual(metrics.toSorted());
    const condition = ['ComparisonOperator', 'Threshold', 'EvaluationPeriods'].map((name) => shown[name]);
    expect([condition.join(' ').replace(/ (?=\d+$)/, ' of '), shown['TreatMissingData']]).toEqual(rest);
    expect(shown['AlarmActions']).toEqual([{ Ref: stack.one('AWS::SNS::Topic').id }]);
    const link = `^.{40,} What to do: infra/aws/monitoring/README\\.md#${id}$`;
    expect(shown['AlarmDescription']).toMatch(new RegExp(link));
    const [, article = ''] = articles.split(`\n### ${id}\n`);
    for (const part of ['Symptom', 'Causes?', 'Remedy'])
      expect(article.split(/\n#+ /)[0]).toMatch(new RegExp(`^- \\*\\*${part}:\\*\\* .{30}`, 'm'));
    for (const [, name] of metrics.join('\n').matchAll(/^CoreAccount\S* (\w+)/gm))
      expect(LOG_METRICS.map((metric) => metric.name)).toContain(name);
  },
);

it('each article belongs to an alarm, and links of the page lead to articles', () => {
  const ids = [...articles.matchAll(/^### (.+)$/gm)].map(([, id]) => id);
  expect(ids.sort()).toEqual(ALARMS.map(([id]) => id).sort());
  for (const [, anchor] of articles.matchAll(/\]\(#([^)]+)\)/g)) expect(ids).toContain(anchor);
});

it('an instance of another name has metrics and alarms of its own', () => {
  const other = synthesize({ stackName: 'other' });
  for (const { Properties } of other.of('AWS::Logs::MetricFilter'))
    expect(Properties['MetricTransformations']).toMatchObject([{ MetricNamespace: 'CoreAccount/other' }]);
  for (const { Properties } of other.of('AWS::CloudWatch::Alarm'))
    expect(Properties['AlarmName']).toMatch(/^other-/);
});

it('the topic accepts alarms of this account, and nothing without TLS', () => {
  const { Statement } = stack.one('AWS::SNS::TopicPolicy').Properties['PolicyDocument'] as {
    Statement: object[];
  };
  const isAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
  const Principal = { Service: 'cloudwatch.amazonaws.com' };
  const alarm = { Effect: 'Allow', Action: 'sns:Publish', Principal };
  const withoutTls = { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
  expect(Statement).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...alarm, Condition: expect.objectContaining(isAccount) }),
      expect.objectContaining(withoutTls),
    ]),
  );
});

it('each metric is filtered from the log of its function', () => {
  const filters = stack.of('AWS::Logs::MetricFilter').map(({ Properties }) => {
    const [one] = Properties['MetricTransformations'] as { MetricName: string }[];
    return `${render(Properties['LogGroupName'])} ${one?.MetricName} ${Properties['FilterPattern']}`;
  });
  const accessLog = stack.of('AWS::Logs::LogGroup').find(({ id }) => id.startsWith('Observabilityapi'));
  const logOf = (id: string) => (id === GATEWAY_LOG ? `\${${accessLog?.id}}` : logGroupOf(stack, id));
  const expected = LOG_METRICS.map(({ name, log, pattern }) => `${logOf(log)} ${name} ${pattern}`);
  expect(filters.sort()).toEqual(expected.sort());
});

it('dimensions are routes and outcomes, and never identify a caller', () => {
  const fields = LOG_METRICS.flatMap(({ dimensions = {} }) => Object.values(dimensions));
  expect([...new Set(fields)].sort()).toEqual(['$.function', '$.outcome']);
});

it('no metric counts a request that succeeds', () => {
  const success = { level: 'info', function: 'system.ping', outcome: 'success', status: 200, ms: 3 };
  expect(LOG_METRICS.filter(({ pattern }) => matches(pattern, success))).toEqual([]);
});

const { Format } = stack.one('AWS::ApiGatewayV2::Stage').Properties['AccessLogSettings'] as {
  Format: string;
};
const CRASH = 'The Lambda function returned an error.';
const THROTTLED = 'Lambda invocation failed with status: 429.';

it.each<[string, Record<string, string>, string[]]>([
  ['nothing for an answer', { status: '200', integrationStatus: '200' }, []],
  ['nothing for a 503 of the function itself', { status: '503', integrationStatus: '200' }, []],
  ['nothing for an unknown route', { status: '404' }, []],
  ['a crash', { integrationStatus: '200', integrationErrorMessage: CRASH }, ['FunctionErrors']],
  ['a throttle by its status', { status: '503', integrationStatus: '429' }, ['FunctionThrottles']],
  ['a throttle by its message', { integrationErrorMessage: THROTTLED }, ['FunctionThrottles']],
])('metrics of the access log count %s', (_what, values, expected) => {
  // The gateway writes `-` for a value that a request does not have.
  const line = JSON.parse(Format.replace(/\$context\.([\w.]+)/g, (_, name: string) => values[name] ?? '-'));
  const found = LOG_METRICS.filter(({ log, pattern }) => log === GATEWAY_LOG && matches(pattern, line));
  expect(found.map(({ name }) => name)).toEqual(expected);
});

interface Widget extends Record<'x' | 'y' | 'width' | 'height', number> {
  readonly type: string;
  readonly properties: { readonly markdown?: string; readonly alarms?: readonly string[] };
}
const body = render(stack.one('AWS::CloudWatch::Dashboard').Properties['DashboardBody']);
const { widgets } = JSON.parse(body) as { widgets: Widget[] };
const shown = JSON.stringify(widgets);

it('the widgets of the dashboard fill 24 columns without overlap or gap', () => {
  const cells = widgets.flatMap(({ x, y, width, height }) =>
    Array.from({ length: width * height }, (_, n) => `${x + (n % width)},${y + Math.floor(n / width)}`),
  );
  const bottom = Math.max(...widgets.map(({ y, height }) => y + height));
  const screen = Array.from({ length: 24 * bottom }, (_, n) => `${n % 24},${Math.floor(n / 24)}`);
  expect(cells.sort()).toEqual(screen.sort());
});

it('the first screen shows alarms, requests, 5xx, p99, logins and pending events', () => {
  const second = widgets.findIndex(({ properties }) => properties.markdown === '# Functions, by noun');
  const first = widgets.slice(0, second);
  expect(first).toEqual(widgets.filter(({ y, height }) => y + height <= 14));
  for (const part of ['Count', '5xx', 'p99', 'FailedLogins', 'OldestPendingEvent', 'EventsSetAside'])
    expect(JSON.stringify(first)).toContain(`"${part}"`);
  const status = first.find(({ type }) => type === 'alarm');
  const alarms = stack.of('AWS::CloudWatch::Alarm').map(({ id }) => `\${${id}.Arn}`);
  expect(status?.properties.alarms?.toSorted()).toEqual(alarms.sort());
});

it('the dashboard shows each metric of functions, logs and the table', () => {
  for (const { id } of functions)
    for (const metric of ['Invocations', 'Duration', 'Errors', 'Throttles'])
      expect(shown).toContain(`["AWS/Lambda","${metric}","FunctionName","\${${functionOf(stack, id).id}}"`);
  for (const { name, log, dimensions } of LOG_METRICS) {
    expect(shown).toContain(`["${OURS}","${name}"`);
    if (dimensions) expect(shown).toMatch(new RegExp(`"${name}",[^\\]]*"Route","${log}"`));
  }
  for (const metric of ['ThrottledRequests', 'SystemErrors'])
    expect(shown).toContain(`["AWS/DynamoDB","${metric}"`);
});
