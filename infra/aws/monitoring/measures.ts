import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITable, Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Api } from '../api.ts';
import type { CoreFunction } from '../function.ts';

/** What is measured of an instance. */
export interface Measured {
  /** Name of the instance. */
  readonly name: string;
  readonly api: Api;
  readonly functions: readonly CoreFunction[];
  readonly table: ITable;
  /** Where invocations of jobs end up that have failed for good. */
  readonly deadLetters?: IQueue | undefined;
}

/** Namespace of the metrics that are made of log lines: of this instance alone. */
export const namespaceOf = (name: string) => `CoreAccount/${name}`;

/** What functions do to the table; at most ten, as many metrics as an alarm can add up. */
const OPERATIONS = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

export type Measures = ReturnType<typeof measuresOf>;

/** The metrics of an instance: AWS's own wherever these say it, which cost nothing. */
export function measuresOf({ name, api, functions, table, deadLetters }: Measured) {
  const { gateway } = api;
  const every = (minutes: number) => Duration.minutes(minutes);
  const ofTable = (metricName: string, minutes: number, label: string) =>
    sum(
      OPERATIONS.map(
        (Operation) =>
          new Metric({
            namespace: 'AWS/DynamoDB',
            metricName,
            dimensionsMap: { TableName: table.tableName, Operation },
            statistic: 'Sum',
            period: every(minutes),
          }),
      ),
      label,
    );
  return {
    requests: (minutes = 5) =>
      gateway.metricCount({ statistic: 'Sum', period: every(minutes), label: 'requests' }),
    serverErrors: (minutes = 5) =>
      gateway.metricServerError({ statistic: 'Sum', period: every(minutes), label: '5xx' }),
    latency: (statistic: string, minutes = 5) =>
      gateway.metricLatency({ statistic, period: every(minutes), label: `${statistic} ms` }),
    ofTable,
    /** A metric of log lines. */
    logged: (metricName: string, statistic: string, minutes = 5, dimensionsMap?: Record<string, string>) =>
      new Metric({
        namespace: namespaceOf(name),
        metricName,
        statistic,
        period: every(minutes),
        ...(dimensionsMap ? { dimensionsMap, label: dimensionsMap['Route'] } : {}),
      }),
    /** A metric of one function, by its id. */
    ofFunction(id: string, metricName: string, statistic: string, minutes = 5): Metric {
      const found = functions.find(({ definition }) => definition.id === id);
      if (!found) throw new Error(`There is no function ${id}`);
      return found.lambda.metric(metricName, { statistic, period: every(minutes), label: id });
    },
    deadLetters: deadLetters?.metricApproximateNumberOfMessagesVisible({
      statistic: 'Maximum',
      period: every(1),
      label: 'dead letters',
    }),
  };
}

/** Metrics that have a value only at times when there is something to count: those without one count as 0. */
const sum = (metrics: readonly IMetric[], label: string): MathExpression =>
  new MathExpression({
    expression: `SUM([${metrics.map((_, index) => `m${index}`).join(', ')}])`,
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    label,
    period: Duration.minutes(5),
  });
