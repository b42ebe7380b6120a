import { dollars, type PriceName, type Prices } from './prices.ts';
import { type Resource, referred, resourcesOf, type Template } from './template.ts';

/** What an instance costs a month that nobody calls. */
export interface FloorLine {
  readonly what: string;
  readonly units: number;
  readonly price: PriceName;
  readonly usd: number;
}

/** How many units of which price a resource is, each month, whatever its use. */
type Count = (resource: Resource, template: Template) => number;

interface Kind {
  readonly what: string;
  readonly price: PriceName;
  readonly count: Count;
}

const one: Count = () => 1;

/** Metrics that an alarm looks at: each is paid for, the expressions over them are not. */
const alarmMetrics: Count = ({ properties: { Metrics } }) =>
  Array.isArray(Metrics) ? Metrics.filter((metric) => 'MetricStat' in metric).length : 1;

/** Every kind of resource that is paid for by being there. */
const KINDS: Readonly<Record<string, Kind>> = {
  'AWS::CloudWatch::Alarm': { what: 'metrics of alarms', price: 'alarmMetric', count: alarmMetrics },
  'AWS::CloudWatch::Dashboard': { what: 'dashboards', price: 'dashboard', count: one },
  'AWS::SecretsManager::Secret': { what: 'secrets', price: 'secret', count: one },
};

/** What is paid for by use, and by which prices; nothing of it is in the floor but the metrics and the sweep. */
export const BY_USE: Readonly<Record<string, readonly PriceName[]>> = {
  'AWS::ApiGatewayV2::Api': ['httpApiRequest', 'dataOut'],
  'AWS::Lambda::Function': ['lambdaRequest', 'lambdaArm', 'lambdaX86', 'trace'],
  'AWS::DynamoDB::GlobalTable': ['tableRead', 'tableWrite', 'tableStorage', 'tableRecovery'],
  'AWS::Events::EventBus': ['event'],
  'AWS::Events::Archive': ['eventArchive'],
  'AWS::Logs::Delivery': ['logIngestion', 'logStorage'],
  'AWS::Logs::LogGroup': ['logIngestion', 'logStorage'],
  'AWS::Logs::MetricFilter': ['customMetric'],
  'AWS::SecretsManager::RotationSchedule': ['secretCall'],
  'AWS::SNS::Topic': ['notification'],
  'AWS::SNS::Subscription': ['notification'],
  'AWS::SQS::Queue': ['queueRequest'],
};

/** What costs nothing, alone or beside what it belongs to. */
export const FREE: readonly string[] = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  // Of schemas only their discovery is paid for, which no bus here has.
  'AWS::EventSchemas::Registry',
  'AWS::EventSchemas::Schema',
  'AWS::Events::EventBusPolicy',
  'AWS::Events::Rule',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::DeliveryDestination',
  'AWS::Logs::DeliverySource',
  'AWS::Logs::SubscriptionFilter',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
];

/** Types of resource that nobody has told a price of, nor that they are free. */
export function unpriced(template: Template): string[] {
  const types = new Set(Object.values(template.Resources).map(({ Type }) => Type));
  const known = [...Object.keys(KINDS), ...Object.keys(BY_USE), ...FREE];
  return [...types].filter((type) => !known.includes(type)).sort();
}

/** Functions that run by the clock, with how often in a month; nothing else runs while nobody calls. */
export const scheduled = (template: Template, minutes: number) =>
  resourcesOf(template, 'AWS::Events::Rule').flatMap(({ properties: { ScheduleExpression, Targets } }) => {
    const every = Number(/^rate\((\d+) minutes?\)$/.exec(String(ScheduleExpression))?.[1]);
    return (Targets as { Arn: unknown }[]).map(({ Arn }) => ({ id: referred(Arn), runs: minutes / every }));
  });

/**
 * Metrics that are made of log lines: `idle`, those of functions that run by the clock; `most`, with one for every
 * value that a dimension has, which are paid for by the hour in which they occur.
 */
export function logMetrics(template: Template): { readonly idle: number; readonly most: number } {
  const clocked = new Set(scheduled(template, 0).map(({ id }) => id));
  const groups = resourcesOf(template, 'AWS::Lambda::Function')
    .filter(({ id }) => clocked.has(id))
    .map(({ properties }) => referred((properties['LoggingConfig'] as { LogGroup?: unknown }).LogGroup));
  const filters = resourcesOf(template, 'AWS::Logs::MetricFilter').map(({ properties }) => ({
    isIdle: groups.includes(referred(properties['LogGroupName'])),
    // Of a log of one route its filter counts one metric, or two where it tells outcomes apart.
    metrics: JSON.stringify(properties['MetricTransformations']).includes('"Outcome"') ? 2 : 1,
  }));
  const count = (some: typeof filters) => some.reduce((total, { metrics }) => total + metrics, 0);
  return { idle: count(filters.filter(({ isIdle }) => isIdle)), most: count(filters) };
}

/** What is paid for by being there, counted in the template. */
export function floorOf(template: Template, prices: Prices): FloorLine[] {
  const line = (what: string, price: PriceName, units: number): FloorLine => ({
    what,
    units,
    price,
    usd: dollars(prices, price, units),
  });
  return [
    ...Object.entries(KINDS).map(([type, { what, price, count }]) =>
      line(
        what,
        price,
        resourcesOf(template, type).reduce((total, resource) => total + count(resource, template), 0),
      ),
    ),
    line('metrics of log lines that an idle instance has', 'customMetric', logMetrics(template).idle),
  ];
}
