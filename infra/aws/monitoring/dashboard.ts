import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
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
import { login } from '#lib/account/contracts';
import type { CoreFunction } from '../function.ts';
import type { Measures } from './measures.ts';

interface Shown {
  readonly name: string;
  readonly functions: readonly CoreFunction[];
  readonly measures: Measures;
  readonly alarms: readonly Alarm[];
  /** The page of the articles. */
  readonly articles: string;
}

/** Columns of a dashboard. */
const WIDTH = 24;

/**
 * The dashboard of an instance: a first screen that says whether it is well, and below it each noun and the table, to
 * find out where it is not. One dashboard, not two, because each costs.
 */
export function dashboardOf(scope: Construct, shown: Shown): Dashboard {
  return new Dashboard(scope, 'Dashboard', {
    dashboardName: shown.name,
    defaultInterval: Duration.hours(3),
    periodOverride: PeriodOverride.AUTO,
    widgets: [...overview(shown), ...details(shown)],
  });
}

const heading = (text: string): IWidget[] => [new TextWidget({ markdown: text, width: WIDTH, height: 1 })];

/** Widgets of one row share its width. */
const row = (...graphs: [title: string, left: readonly IMetric[], right?: readonly IMetric[]][]): IWidget[] =>
  graphs.map(
    ([title, left, right = []]) =>
      new GraphWidget({ title, left: [...left], right: [...right], width: WIDTH / graphs.length, height: 6 }),
  );

/** Level one: is it well? */
function overview({ name, measures, alarms, articles }: Shown): IWidget[][] {
  const { requests, serverErrors, latency, logged, ofFunction, deadLetters } = measures;
  return [
    heading(`# ${name}: is it well? What to do at each alarm: ${articles}`),
    [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WIDTH, height: 4 })],
    row(
      ['Requests, and answers 5xx', [requests()], [serverErrors()]],
      ['Time to answer', [latency('p50'), latency('p99')]],
      [
        'Logins: all, failed, lockouts',
        [ofFunction(login.id, 'Invocations', 'Sum'), logged('FailedLogins', 'Sum')],
        [logged('Lockouts', 'Sum')],
      ],
      [
        'Pending events: age in s; set aside',
        [logged('OldestPendingEvent', 'Maximum', 1)],
        [logged('EventsSetAside', 'Maximum', 1), ...(deadLetters ? [deadLetters] : [])],
      ],
    ),
    [
      new SingleValueWidget({
        title: 'Last 5 minutes',
        metrics: [requests(), serverErrors(), latency('p99'), logged('OldestPendingEvent', 'Maximum', 1)],
        width: 18,
        height: 3,
      }),
      new SingleValueWidget({
        title: 'Signing key: age in days',
        metrics: [logged('SigningKeyAge', 'Maximum', 5)],
        width: 6,
        height: 3,
      }),
    ],
  ];
}

/** Level two: where is it not? */
function details({ functions, measures }: Shown): IWidget[][] {
  const { ofTable, logged, ofFunction } = measures;
  const nouns = Map.groupBy(functions, ({ definition }) => definition.id.split('.')[0] as string);
  return [
    heading('# Functions, by noun'),
    ...[...nouns].sort().flatMap(([noun, members]) => {
      const ids = members.map(({ definition }) => definition.id);
      const endpoints = members
        .filter(({ definition }) => 'path' in definition)
        .map(({ definition }) => definition.id);
      const each = (metricName: string, statistic: string) =>
        ids.map((id) => ofFunction(id, metricName, statistic));
      const outcomes = (Outcome: string) =>
        endpoints.map((Route) => logged('Outcomes', 'Sum', 5, { Route, Outcome }));
      const coldStarts = endpoints.map((Route) => logged('ColdStarts', 'Sum', 5, { Route }));
      return [
        heading(`## ${noun}`),
        row(
          [`${noun}: invocations`, each('Invocations', 'Sum')],
          [`${noun}: p99 of duration`, each('Duration', 'p99')],
          [`${noun}: errors, and throttles on the right`, each('Errors', 'Sum'), each('Throttles', 'Sum')],
        ),
        ...(endpoints.length > 0
          ? [
              row(
                [`${noun}: answers 4xx`, outcomes('refused')],
                [`${noun}: answers 5xx`, outcomes('failed')],
                [`${noun}: cold starts`, coldStarts],
              ),
            ]
          : []),
      ];
    }),
    heading('# Table'),
    row(
      ['Throttled requests', [ofTable('ThrottledRequests', 5, 'throttled requests')]],
      ['System errors', [ofTable('SystemErrors', 5, 'system errors')]],
      [
        'Functions that the gateway could not run',
        [logged('FunctionErrors', 'Sum'), logged('FunctionThrottles', 'Sum')],
      ],
    ),
  ];
}
