import { Aws, Duration } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Binding } from './binding.ts';
import type { CoreFunction } from './function.ts';

/** Long enough for a subscriber that was broken over a holiday to replay what it missed. */
const ARCHIVE_DAYS = 90;

/** The bus that an instance publishes to, and the clock of its jobs. */
export class Events extends Construct {
  readonly bus: EventBus;
  readonly binding: Binding;

  /** @param name of the bus: EventBridge makes up none itself */
  constructor(scope: Construct, id: string, name: string) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', { eventBusName: name });
    this.bus.archive('Archive', {
      description: 'Events of the last 90 days, to be replayed to subscribers',
      eventPattern: { account: [Aws.ACCOUNT_ID] },
      retention: Duration.days(ARCHIVE_DAYS),
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
    lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(everyMinutes) });
    new Rule(this, definition.id, {
      description: definition.summary,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [
        new LambdaFunction(lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(everyMinutes) }),
      ],
    });
  }
}
