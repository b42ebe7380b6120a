import { Aws, Duration } from 'aws-cdk-lib';
import {
  type AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  PeriodOverride,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { contract as login } from '#lib/login/login.contract';
import type { CoreFunction } from '../function.ts';
import type { Measures } from './measures.ts';

interface Shown {
  readonly name: string;
  readonly functions: readonly CoreFunction[];
  readonly measures: Measures;
  readonly alarms: readonly AlarmBase[];
  /** Page of the articles. */
  readonly articles: string;
}

const WIDTH = 24;

/**
 * The dashboard of an instance. Its first screen shows whether the instance is healthy; the rows below, by noun and for
 * the table, show where it is not. It is one dashboard because AWS charges for each.
 */
export function dashboardOf(scope: Construct, shown: Shown): Dashboard {
  return new Dashboard(scope, 'Dashboard', {
    // Dashboards are global in an account; an instance in a second region may have the same name.
    dashboardName: `${shown.name}-${Aws.REGION}`,
    defaultInterval: Duration.hours(3),
    periodOverride: PeriodOverride.AUTO,
    widgets: [...overview(shown), ...details(shown)],
  });
}

const heading = (markdown: string): IWidget[] => [new TextWidget({ markdown, width: WIDTH, height: 1 })];

type Graph = readonly [title: string, left: readonly IMetric[], right?: readonly IMetric[]];

/** Widgets of one row share its width. */
const row = (...graphs: readonly Graph[]): IWidget[] =>
  graphs.map(
    ([title, left, right = []]) =>
      new GraphWidget({ title, left: [...left], right: [...right], width: WIDTH / graphs.length, height: 6 }),
  );

/** Level one: whether the instance is healthy. */
function overview({ name, measures, alarms, articles }: Shown): IWidget[][] {
  const { requests, serverErrors, latency, logged, ofFunction, failedJobs, failedEvents } = measures;
  const oldestEvent = logged('OldestPendingEvent', 'Maximum', 1);
  const logins = [ofFunction(login.id, 'Invocations'), logged('FailedLogins')];
  const setAside = logged('EventsSetAside', 'Maximum', 1);
  const value = (title: string, metrics: IMetric[], width: number) =>
    new SingleValueWidget({ title, metrics, width, height: 3 });
  return [
    heading(`# ${name}: health. Remedy for each alarm: ${articles}`),
    [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WIDTH, height: 4 })],
    row(
      ['Requests, and answers 5xx', [requests], [serverErrors]],
      [
        'Time to answer; answers after more than 3 s',
        [latency('p50'), latency('p99')],
        [logged('SlowAnswers')],
      ],
      ['Logins: all, failed, lockouts', logins, [logged('Lockouts')]],
      ['Pending events: age in s; dead-lettered', [oldestEvent], [setAside, failedEvents, failedJobs]],
    ),
    [
      value('Last 5 minutes', [requests, serverErrors, latency('p99'), oldestEvent], 18),
      value('Signing keys: age in days', [logged('SigningKeyAge', 'Maximum')], 6),
    ],
  ];
}

/** Level two: which functions, or the table, are not healthy. */
function details({ functions, measures: { ofTable, logged, ofFunction } }: Shown): IWidget[][] {
  const definitions = functions.map(({ definition }) => definition);
  const nouns = Map.groupBy(definitions, ({ id }) => id.split('.')[0] as string);
  return [
    heading('# Functions, by noun'),
    ...[...nouns].sort().flatMap(([noun, members]) => {
      const endpoints = members.filter((definition) => 'path' in definition).map(({ id }) => id);
      const each = (metric: string, statistic = 'Sum') =>
        members.map(({ id }) => ofFunction(id, metric, statistic));
      const outcomes = (Outcome: string) =>
        endpoints.map((Route) => logged('Outcomes', 'Sum', 5, { Route, Outcome }));
      const coldStarts = endpoints.map((Route) => logged('ColdStarts', 'Sum', 5, { Route }));
      const answers = row(
        [`${noun}: answers 4xx`, outcomes('refused')],
        [`${noun}: answers 5xx`, outcomes('failed')],
        [`${noun}: cold starts`, coldStarts],
      );
      return [
        heading(`## ${noun}`),
        row(
          [`${noun}: invocations`, each('Invocations')],
          [`${noun}: p99 of duration`, each('Duration', 'p99')],
          [`${noun}: errors, and throttles on the right`, each('Errors'), each('Throttles')],
        ),
        ...(endpoints.length > 0 ? [answers] : []),
      ];
    }),
    heading('# Table'),
    row(
      ['Throttled requests', [ofTable('ThrottledRequests')]],
      ['System errors', [ofTable('SystemErrors')]],
      ['Functions that the gateway could not run', [logged('FunctionErrors'), logged('FunctionThrottles')]],
      [
        'Audit lines that are not in the table; those of the probe that arrive',
        [logged('RefusedAuditLines')],
        [logged('AuditHeartbeats')],
      ],
      [
        'Uses of another erasure key; no key for other services; failed fetches of the keys of issuers',
        [logged('OtherErasureKeys')],
        [logged('MissingResourceKeys'), logged('UnreachableIssuers')],
      ],
    ),
  ];
}
