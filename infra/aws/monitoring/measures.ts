import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITable, Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { Api } from '../api.ts';
import type { Events } from '../events.ts';
import type { CoreFunction } from '../function.ts';

/** The measured parts of an instance. */
export interface Measured {
  readonly name: string;
  readonly api: Api;
  readonly functions: readonly CoreFunction[];
  readonly table: ITable;
  readonly events: Events;
}

/** Namespace of the metrics of log lines, for this instance only. */
export const namespaceOf = (name: string) => `CoreAccount/${name}`;

/** Operations of functions on the table; an alarm can add up ten metrics at most. */
const OPERATIONS = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.BATCH_WRITE_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

export type Measures = ReturnType<typeof measuresOf>;

/** The metrics of an instance, by default in periods of 5 minutes. AWS's own metrics are used first: they are free. */
export function measuresOf({ name, api: { gateway }, functions, table, events }: Measured) {
  return {
    requests: gateway.metricCount({ statistic: 'Sum', label: 'requests' }),
    serverErrors: gateway.metricServerError({ statistic: 'Sum', label: '5xx' }),
    latency: (statistic: string) => gateway.metricLatency({ statistic, label: `${statistic} ms` }),
    /** A metric of the table, over all operations. It has a value only while there is something to count. */
    ofTable: (metricName: string) =>
      new MathExpression({
        expression: `SUM([${OPERATIONS.map((_, index) => `m${index}`).join(', ')}])`,
        usingMetrics: Object.fromEntries(
          OPERATIONS.map((Operation, index) => {
            const dimensionsMap = { TableName: table.tableName, Operation };
            const metric = { namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum' };
            return [`m${index}`, new Metric(metric)];
          }),
        ),
        // `ThrottledRequests` as "throttled requests"
        label: metricName.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim(),
      }),
    logged: (metricName: string, statistic = 'Sum', minutes = 5, dimensionsMap?: Record<string, string>) =>
      new Metric({
        namespace: namespaceOf(name),
        metricName,
        statistic,
        period: Duration.minutes(minutes),
        ...(dimensionsMap ? { dimensionsMap, label: dimensionsMap['Route'] ?? metricName } : {}),
      }),
    ofFunction(id: string, metricName: string, statistic = 'Sum'): Metric {
      const found = functions.find(({ definition }) => definition.id === id);
      if (!found) throw new Error(`There is no function ${id}`);
      return found.lambda.metric(metricName, { statistic, label: id });
    },
    // Counts new messages: the length of the queue would keep an alarm red until the queue is purged.
    failedJobs: events.failedJobs.metricNumberOfMessagesSent({ label: 'failed jobs' }),
    failedEvents: events.failedEvents.metricNumberOfMessagesSent({ label: 'failed events' }),
  };
}
