import { Aws, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Options } from '#infra/stages/options';
import { type AlarmDefinition, alarmsOf, OUTAGE, type Severity } from './alarms.ts';
import { dashboardOf } from './dashboard.ts';
import { LOG_METRICS, type Log } from './log-metrics.ts';
import { type Measured, measuresOf, namespaceOf } from './measures.ts';

/** The pages with an article for each alarm, by its severity. */
export const ARTICLES: Readonly<Record<Severity, string>> = {
  page: 'infra/aws/monitoring/README.md',
  part: 'infra/aws/monitoring/README.md',
  ticket: 'infra/aws/monitoring/tickets.md',
};

export interface MonitoringProps extends Measured {
  readonly logs: Readonly<Record<Log, LogGroup>>;
  /** Encrypts the topics; if undefined, nothing does. */
  readonly key: IKey | undefined;
  readonly configuration: Pick<Options, 'alarmEmail' | 'alarmTopicArn' | 'repositoryUrl'>;
}

/** Metrics, alarms, a topic for each severity, and a dashboard. */
export class Monitoring extends Construct {
  readonly topics: Readonly<Record<Exclude<Severity, 'part'>, ITopic>>;
  /** The alarms that page. */
  readonly pages: readonly cloudwatch.AlarmBase[];

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { name, functions, logs, key, configuration } = props;
    const { alarmEmail, alarmTopicArn, repositoryUrl } = configuration;
    this.topics = {
      page: alarmTopicArn
        ? Topic.fromTopicArn(this, 'OwnPages', alarmTopicArn)
        : this.topic('Pages', alarmEmail, key),
      ticket: this.topic('Alarms', alarmEmail, key),
    };
    for (const { name: metricName, log = 'functions', pattern, value = '1', ...rest } of LOG_METRICS)
      new MetricFilter(this, metricName, {
        logGroup: logs[log],
        filterPattern: FilterPattern.literal(pattern),
        metricNamespace: namespaceOf(name),
        metricName,
        metricValue: value,
        defaultValue: rest.absent,
        ...(rest.dimensions ? { dimensions: rest.dimensions } : {}),
      });

    const measures = measuresOf(props);
    const alarms = alarmsOf(measures).map((definition) => ({
      severity: definition.severity,
      alarm: this.alarm(definition, name, articleOf(repositoryUrl, definition)),
    }));
    const having = (severity: Severity) =>
      alarms.filter((one) => one.severity === severity).map(({ alarm }) => alarm);
    const outage = new cloudwatch.CompositeAlarm(this, OUTAGE, {
      compositeAlarmName: alarmName(name, 'page', OUTAGE),
      alarmDescription: `Users cannot use the service, or wait for it. ${articleOf(repositoryUrl, { id: OUTAGE, severity: 'page' })}`,
      alarmRule: cloudwatch.AlarmRule.anyOf(
        ...having('part').map((part) => cloudwatch.AlarmRule.fromAlarm(part, cloudwatch.AlarmState.ALARM)),
      ),
    });
    this.notify(outage, 'page');
    this.pages = [outage, ...having('page')];
    const all = [outage, ...alarms.map(({ alarm }) => alarm)];
    dashboardOf(this, {
      name,
      functions,
      measures,
      alarms: all,
      articles: linkTo(repositoryUrl, ARTICLES.page),
    });
  }

  /**
   * A topic for the alarms of this account; CloudWatch publishes to it over TLS only. By default no key encrypts it:
   * alarms name no user, and CloudWatch cannot use the key that AWS manages.
   */
  private topic(id: string, email: string, masterKey: IKey | undefined): Topic {
    const topic = new Topic(this, id, { enforceSSL: true, masterKey });
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

  private alarm(definition: AlarmDefinition, instance: string, article: string): cloudwatch.Alarm {
    const { id, severity, loses, metric, periods = 1, missing } = definition;
    const alarm = new cloudwatch.Alarm(this, id, {
      alarmName: alarmName(instance, severity, id),
      alarmDescription: `${loses} ${article}`,
      metric,
      threshold: definition.threshold ?? 0,
      comparisonOperator: definition.comparison ?? cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      datapointsToAlarm: definition.breaching ?? periods,
      treatMissingData: missing ?? cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    if (severity !== 'part') this.notify(alarm, severity);
    if (missing === cloudwatch.TreatMissingData.MISSING) {
      const action = new SnsAction(this.topics.page);
      alarm.addInsufficientDataAction(action);
      // A part that pages itself also reports its end.
      alarm.addOkAction(action);
    }
    return alarm;
  }

  private notify(alarm: cloudwatch.AlarmBase, severity: keyof Monitoring['topics']) {
    const action = new SnsAction(this.topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}

const alarmName = (instance: string, severity: Severity, id: string) => `${instance}-${severity}-${id}`;

const linkTo = (repositoryUrl: string, page: string) => [repositoryUrl, page].filter(Boolean).join('/');

/** Without the URL of the repository, an alarm names the file and the heading of its article. */
const articleOf = (repositoryUrl: string, { id, severity }: Pick<AlarmDefinition, 'id' | 'severity'>) =>
  `Remedy: ${linkTo(repositoryUrl, ARTICLES[severity])}${repositoryUrl ? `#${id}` : `, heading "${id}"`}`;
