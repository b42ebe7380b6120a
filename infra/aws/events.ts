import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { EventInvokeConfigOptions } from 'aws-cdk-lib/aws-lambda';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Options } from '#infra/stages/options';
import { type Binding, useOfKey } from './binding.ts';
import { acceptFrom, deadLetters } from './dead-letters.ts';
import type { CoreFunction } from './function.ts';

export interface EventsProps {
  /** Name of the bus, which EventBridge does not generate. */
  readonly name: string;
  /** Retention of the archive, from which subscribers can replay the events of an outage. */
  readonly archiveDays: number;
  /** Encrypts the bus, the archive and the queues; if undefined, keys of AWS do. */
  readonly key: IKey | undefined;
}

/** The bus of an instance, and the schedule of its jobs. */
export class Events extends Construct {
  readonly bus: events.EventBus;
  /** Source of replayed events. */
  readonly archive: events.Archive;
  readonly binding: Binding;

  /** Failed runs of jobs and failed backups, with their errors. It has no consumer: the next run does the work. */
  readonly failedJobs: Queue;

  /** Events that the bus accepted and could not process, for example because it may not use its key. */
  readonly failedEvents: Queue;

  constructor(scope: Construct, id: string, { name, archiveDays, key }: EventsProps) {
    super(scope, id);
    this.failedJobs = deadLetters(this, 'Failures', key);
    this.failedEvents = deadLetters(this, 'FailedEvents', key);
    this.bus = new events.EventBus(this, 'Bus', {
      eventBusName: name,
      description: 'Changes of the accounts of this instance',
      deadLetterQueue: this.failedEvents,
      kmsKey: key,
      logConfig: { level: events.Level.ERROR, includeDetail: events.IncludeDetail.NONE },
    });
    acceptFrom(this.failedEvents, this.bus.eventBusArn);
    this.archive = this.bus.archive('Archive', {
      description: `Events of the last ${archiveDays} days, to be replayed to subscribers`,
      eventPattern: { account: [Aws.ACCOUNT_ID] },
      retention: Duration.days(archiveDays),
    });
    // `EventBus.archive` does not pass its `kmsKey` on.
    if (key) (this.archive.node.defaultChild as events.CfnArchive).kmsKeyIdentifier = key.keyArn;
    const { eventBusArn, eventBusName } = this.bus;
    this.binding = {
      value: eventBusName,
      meets: (need) => need === 'events:PutEvents',
      grants: () => [{ actions: ['events:PutEvents'], resource: eventBusArn }],
    };
  }

  /** Keeps the failed runs of a job, with their errors. @param options of asynchronous invocations */
  keepFailures(job: CoreFunction, options: EventInvokeConfigOptions = {}): void {
    const { queueArn, encryptionMasterKey } = this.failedJobs;
    // CDK's own destination would also allow the function to read the name and the attributes of the queue.
    job.allow({ actions: ['sqs:SendMessage'], resource: queueArn });
    job.allow(...useOfKey(encryptionMasterKey, 'sqs', ['Decrypt', 'GenerateDataKey']));
    job.lambda.configureAsyncInvoke({ ...options, onFailure: { bind: () => ({ destination: queueArn }) } });
  }

  /** Keeps the failed backups of a table, and their failed copies: AWS Backup has no metric of one table. */
  keepFailedBackups({ tableArn }: ITable): void {
    new events.Rule(this, 'FailedBackups', {
      description: 'Backups of the table that fail, and their copies',
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change', 'Copy Job State Change'],
        detail: { resourceArn: [tableArn], state: ['ABORTED', 'EXPIRED', 'FAILED'] },
      },
      targets: [new SqsQueue(this.failedJobs, { deadLetterQueue: this.failedEvents })],
    });
  }

  /** Schedules a job. A failed run is not retried: the next run does its work. */
  schedule(job: CoreFunction, everyMinutes: number): void {
    const { lambda, definition } = job;
    this.keepFailures(job, { retryAttempts: 0, maxEventAge: Duration.minutes(everyMinutes) });
    new events.Rule(this, definition.id, {
      description: definition.summary,
      schedule: events.Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [
        new LambdaFunction(lambda, {
          retryAttempts: 0,
          maxEventAge: Duration.minutes(everyMinutes),
          deadLetterQueue: this.failedJobs,
        }),
      ],
    });
  }
}

/**
 * Logs which event the bus could not deliver to which rule, and why; it is the only record if the rule has no dead-letter
 * queue. The log has the ID of the event without its details.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-logs.html
 */
export function logErrorsOf(scope: Construct, bus: events.EventBus, instance: string, logGroup: LogGroup) {
  const name = `${instance}-bus-errors`;
  const from = { name, logType: 'ERROR_LOGS', resourceArn: bus.eventBusArn };
  const source = new CfnDeliverySource(scope, 'BusErrors', from);
  const to = { name, destinationResourceArn: logGroup.logGroupArn };
  const destination = new CfnDeliveryDestination(scope, 'BusErrorLog', to);
  const delivery = new CfnDelivery(scope, 'BusErrorDelivery', {
    deliverySourceName: name,
    deliveryDestinationArn: destination.attrArn,
  });
  // The name is no reference, so CloudFormation does not know this dependency.
  delivery.addResourceDependency(source);
}

/** Actions of a subscriber on its rules. */
const RULE_ACTIONS = [
  'events:PutRule',
  'events:DeleteRule',
  'events:DescribeRule',
  'events:DisableRule',
  'events:EnableRule',
  'events:PutTargets',
  'events:RemoveTargets',
  'events:ListTargetsByRule',
];

/**
 * Allows other accounts to create rules on the bus and to change their own rules. The condition has `IfExists`, since a
 * rule has no creator before it exists.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-example-policy-same-account-creator.html
 */
export function letSubscribe(bus: events.EventBus, { subscriberAccounts, subscriberOrganization }: Options) {
  const resourceName = `${bus.eventBusName}/*`;
  const rules = Stack.of(bus).formatArn({ service: 'events', resource: 'rule', resourceName });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM
  const own = { StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' } };
  const allow = (sid: string, principals: iam.IPrincipal[], conditions: object) =>
    bus.addToResourcePolicy(
      new iam.PolicyStatement({ sid, principals, actions: RULE_ACTIONS, resources: [rules], conditions }),
    );
  if (subscriberAccounts.length > 0) {
    const accounts = subscriberAccounts.map((id) => new iam.AccountPrincipal(id));
    allow('RulesOfSubscribers', accounts, own);
  }
  if (subscriberOrganization !== '') {
    const organization = { StringEquals: { 'aws:PrincipalOrgID': subscriberOrganization } };
    allow('RulesOfOrganization', [new iam.AnyPrincipal()], { ...own, ...organization });
  }
}
