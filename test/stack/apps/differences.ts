import { join } from 'node:path';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';

/** A stack that the emulator gets as it is: one resource or two for each row of `PATCHED`. */
const stack = new Stack(new App(), 'differences');
const output = (name: string, value: string) => new CfnOutput(stack, `Output${name}`, { key: name, value });
const functionOf = (id: string, code: Code, environment = {}) =>
  new LambdaFunction(stack, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code,
    environment,
  });

const secret = new CfnSecret(stack, 'Secret', { secretString: 'first' });
output('SecretRef', secret.ref);

const table = new TableV2(stack, 'Table', { partitionKey: { name: 'PK', type: AttributeType.STRING } });
const logs = new LogGroup(stack, 'Logs');
const role = new Role(stack, 'Role', { assumedBy: new AccountRootPrincipal() });
const own = { 'dynamodb:LeadingKeys': ['own'] };
role.addToPolicy(
  new PolicyStatement({
    actions: ['dynamodb:GetItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringEquals': own, Null: { 'dynamodb:LeadingKeys': 'false' } },
  }),
);
role.addToPolicy(new PolicyStatement({ actions: ['logs:CreateLogStream'], resources: [logs.logGroupArn] }));
output('Role', role.roleArn);
output('Table', table.tableName);
output('Logs', logs.logGroupName);

output('CommonJs', functionOf('CommonJs', Code.fromAsset(join(import.meta.dirname, 'handler'))).functionName);
const requires = Code.fromInline("exports.handler = async () => typeof require('@aws-sdk/client-sts');");
output('Sdk', functionOf('Sdk', requires, { NODE_PATH: '' }).functionName);

const receiver = functionOf('Receiver', Code.fromInline("exports.handler = async () => 'received';"));
new SubscriptionFilter(stack, 'Filter', {
  logGroup: logs,
  destination: new LambdaDestination(receiver),
  filterPattern: FilterPattern.stringValue('$.level', '=', 'audit'),
});
output('Receiver', receiver.functionName);
