import { Aws, Duration } from 'aws-cdk-lib';
import { type Archive, EventBus, IncludeDetail, Level, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Binding } from './binding.ts';
import type { CoreFunction } from './function.ts';

/** As long as SQS can keep a message. */
const FAILURE_DAYS = 14;

export interface EventsProps {
  /** Of the bus: EventBridge makes up none itself. */
  readonly name: string;
  /** Long enough for a subscriber that was broken over a holiday to replay what it missed. */
  readonly archiveDays: number;
}

/** The bus that an instance publishes to, and the clock of its jobs. */
export class Events extends Construct {
  readonly bus: EventBus;
  /** What its events are replayed from. */
  readonly archive: Archive;
  readonly binding: Binding;

  /**
   * Where the runs of jobs end that failed, with their error: nothing reads it, the next run does the work. And events
   * that the bus itself could not take on, as where its key cannot be used.
   */
  readonly failures: Queue;

  constructor(scope: Construct, id: string, { name, archiveDays }: EventsProps) {
    super(scope, id);
    this.failures = new Queue(this, 'Failures', {
      retentionPeriod: Duration.days(FAILURE_DAYS),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    this.bus = new EventBus(this, 'Bus', {
      eventBusName: name,
      description: 'What happens to the accounts of this instance',
      deadLetterQueue: this.failures,
      logConfig: { level: Level.ERROR, includeDetail: IncludeDetail.NONE },
    });
    this.failures.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.failures.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': this.bus.eventBusArn } },
      }),
    );
    this.archive = this.bus.archive('Archive', {
      description: `Events of the last ${archiveDays} days, to be replayed to subscribers`,
      eventPattern: { account: [Aws.ACCOUNT_ID] },
      retention: Duration.days(archiveDays),
    });
    const { eventBusArn, eventBusName } = this.bus;
    this.binding = {
      value: eventBusName,
      meets: (need) => need === 'events:PutEvents',
      grants: () => [{ actions: ['events:PutEvents'], resource: eventBusArn }],
    };
  }

  /** Runs a job again and again. A run that fails is not repeated: the next one does its work. */
  schedule({ lambda, definition }: CoreFunction, everyMinutes: number): void {
    const { failures } = this;
    // CDK's own destination would also let the function ask for the name and the attributes of the queue.
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [failures.queueArn] }),
    );
    lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(everyMinutes),
      onFailure: { bind: () => ({ destination: failures.queueArn }) },
    });
    new Rule(this, definition.id, {
      description: definition.summary,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [
        new LambdaFunction(lambda, {
          retryAttempts: 0,
          maxEventAge: Duration.minutes(everyMinutes),
          deadLetterQueue: failures,
        }),
      ],
    });
  }
}
