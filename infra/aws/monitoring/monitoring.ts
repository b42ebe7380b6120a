import { Aws, Stack } from 'aws-cdk-lib';
import { Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type AlarmDefinition, alarmsOf, operatorOf } from './alarms.ts';
import { dashboardOf } from './dashboard.ts';
import { GATEWAY_LOG, LOG_METRICS, type LogMetric } from './log-metrics.ts';
import { type Measured, measuresOf, namespaceOf } from './measures.ts';

/** The page with an article for each alarm. */
export const ARTICLES = 'infra/aws/monitoring/README.md';

export interface MonitoringProps extends Omit<Measured, 'deadLetters'> {
  readonly accessLog: LogGroup;
  /** Whom alarms are mailed to; nobody unless told, and subscribers can be added to the topic by hand. */
  readonly alarmEmail?: string | undefined;
  /** Where the files of the repository can be read, as `https://github.com/<owner>/<name>/blob/main`; without it, paths of a clone. */
  readonly repositoryUrl?: string | undefined;
}

/** What calls somebody, and what they look at then: metrics, alarms, one topic for all of these, a dashboard. */
export class Monitoring extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { name, functions, accessLog, alarmEmail, repositoryUrl } = props;
    this.topic = this.alarmTopic(alarmEmail);
    const logs = new Map([[GATEWAY_LOG, accessLog]]);
    for (const { definition, lambda } of functions) logs.set(definition.id, lambda.logGroup as LogGroup);
    for (const metric of LOG_METRICS) this.filter(metric, logs.get(metric.log) as LogGroup, name);

    // The one queue of a stack holds the runs of jobs that have failed for good.
    const deadLetters = Stack.of(this)
      .node.findAll()
      .find((node) => node instanceof Queue);
    const measures = measuresOf({ ...props, deadLetters });
    const articles = [repositoryUrl, ARTICLES].filter(Boolean).join('/');
    const alarms = alarmsOf(measures).map((definition) => this.alarm(definition, name, articles));
    dashboardOf(this, { name, functions, measures, alarms, articles });
  }

  /**
   * A topic of its own, which CloudWatch may publish to for alarms of this account only, and nobody without TLS. It is
   * not encrypted by a key of the account: alarms name no user, and the key that AWS manages shuts CloudWatch out.
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
    const { id, loses, metric, above, periods = 1, silence } = definition;
    const alarm = new Alarm(this, id, {
      alarmName: `${instance}-${id}`,
      alarmDescription: `${loses} What to do: ${articles}#${id}`,
      metric,
      threshold: above,
      comparisonOperator: operatorOf(definition),
      evaluationPeriods: periods,
      treatMissingData: {
        'is the fault': TreatMissingData.BREACHING,
        'changes nothing': TreatMissingData.IGNORE,
        none: TreatMissingData.NOT_BREACHING,
      }[silence ?? 'none'],
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    return alarm;
  }
}
