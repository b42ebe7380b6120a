import { Aws, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type AlarmDefinition, alarmsOf } from './alarms.ts';
import { dashboardOf } from './dashboard.ts';
import { GATEWAY_LOG, LOG_METRICS, type LogMetric } from './log-metrics.ts';
import { type Measured, measuresOf, namespaceOf } from './measures.ts';

/** The page with an article for each alarm. */
export const ARTICLES = 'infra/aws/monitoring/README.md';

export interface MonitoringProps extends Measured {
  readonly accessLog: LogGroup;
  /** Recipient of alarms; by default none. Subscribers can be added to the topic by hand. */
  readonly alarmEmail?: string | undefined;
  /** Base URL of the files of the repository, without a slash at its end; by default alarms name the path in a clone. */
  readonly repositoryUrl?: string | undefined;
}

/** Metrics, alarms, one topic for all alarms, and a dashboard. */
export class Monitoring extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { name, functions, accessLog, alarmEmail, repositoryUrl } = props;
    this.topic = this.alarmTopic(alarmEmail);
    const logs = new Map([[GATEWAY_LOG, accessLog]]);
    for (const { definition, lambda } of functions) logs.set(definition.id, lambda.logGroup as LogGroup);
    for (const metric of LOG_METRICS) this.filter(metric, logs.get(metric.log) as LogGroup, name);

    const measures = measuresOf(props);
    const articles = [repositoryUrl, ARTICLES].filter(Boolean).join('/');
    const alarms = alarmsOf(measures).map((definition) => this.alarm(definition, name, articles));
    dashboardOf(this, { name, functions, measures, alarms, articles });
  }

  /**
   * The topic of the alarms of this account; CloudWatch publishes to it over TLS only. No key encrypts it: alarms name no
   * user, and CloudWatch cannot use the key that AWS manages.
   */
  private alarmTopic(email: string | undefined): Topic {
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    topic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': Stack.of(this).formatArn({ service: 'cloudwatch', resource: 'alarm:*' }),
          },
        },
      }),
    );
    if (email) topic.addSubscription(new EmailSubscription(email));
    return topic;
  }

  private filter({ name, log, pattern, value, dimensions }: LogMetric, logGroup: LogGroup, instance: string) {
    new MetricFilter(this, `${name}:${log}`, {
      logGroup,
      filterPattern: FilterPattern.literal(pattern),
      metricNamespace: namespaceOf(instance),
      metricName: name,
      metricValue: value ?? '1',
      ...(dimensions ? { dimensions } : {}),
    });
  }

  private alarm(definition: AlarmDefinition, instance: string, articles: string): Alarm {
    const { id, loses, metric, threshold, periods = 1, comparison, missing } = definition;
    const alarm = new Alarm(this, id, {
      alarmName: `${instance}-${id}`,
      alarmDescription: `${loses} What to do: ${articles}#${id}`,
      metric,
      threshold,
      comparisonOperator: comparison ?? ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: missing ?? TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    return alarm;
  }
}
