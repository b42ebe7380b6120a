import { App, CfnOutput } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Subscriber } from '../../../infra/aws/subscriber/example.ts';
import { ACCOUNT, REGION } from '../emulator.ts';

/** The example subscriber in the account of the instance, whose bus is the context value `bus`. */
const app = new App();
const env = { account: ACCOUNT, region: REGION };
const stack = new Subscriber(app, 'account-subscriber', { env, eventBusArn: app.node.getContext('bus') });
const customers = stack.node.findChild('Customers') as TableV2;
new CfnOutput(stack, 'CustomersTable', { value: customers.tableName });
