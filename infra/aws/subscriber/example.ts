import { join } from 'node:path';
import { App, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { ForwardedEvents, UserCancelSubscription } from 'core-account/subscriber';

interface SubscriberProps extends StackProps {
  /** ARN of the bus of the instance: its output `EventBusArn`. */
  readonly eventBusArn: string;
}

/** A subscriber in an AWS account of its own; it cleans up after accounts with the application `crm`. */
export class Subscriber extends Stack {
  constructor(scope: Construct, id: string, { eventBusArn, ...props }: SubscriberProps) {
    super(scope, id, props);
    const customers = new TableV2(this, 'Customers', {
      partitionKey: { name: 'userid', type: AttributeType.STRING },
      billing: Billing.onDemand(),
    });
    const cleanUp = new NodejsFunction(this, 'CleanUp', {
      entry: join(import.meta.dirname, '../../example/function.ts'),
      runtime: Runtime.NODEJS_24_X,
      environment: { CUSTOMERS_TABLE: customers.tableName },
    });
    customers.grantWriteData(cleanUp);
    const { bus: eventBus } = new ForwardedEvents(this, 'Events', {
      eventBusArn,
      apps: ['crm'],
      bus: { eventBusName: 'account-events' },
    });
    new UserCancelSubscription(this, 'Subscription', { eventBus, target: new LambdaFunction(cleanUp) });
  }
}

/** `npx cdk synth --app 'node infra/aws/subscriber/example.ts'` */
if (import.meta.main)
  new Subscriber(new App(), 'account-subscriber', {
    env: { account: '444455556666', region: 'eu-central-1' },
    eventBusArn: 'arn:aws:events:eu-central-1:111122223333:event-bus/core-account-prod',
  });
