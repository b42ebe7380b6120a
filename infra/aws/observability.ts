import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Binding } from './binding.ts';

/**
 * Opens the log groups of an instance, which end with the stack: of the gateway, of the bus, of all functions. Functions
 * share one, so that each question takes one metric filter and all audit lines one of its two subscriptions.
 *
 * CloudWatch Logs has one statement for all log groups of services with the prefix `/aws/vendedlogs/` in its resource
 * policy, which is limited to 5,120 characters in an account and region.
 *
 * @param name name of the stack
 * @param retention retention of all logs, in days; a value that CloudWatch Logs allows
 * @param encryptionKey undefined for the key of CloudWatch Logs
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
 */
export function observability(
  stack: Construct,
  name: string,
  retention: RetentionDays,
  encryptionKey: IKey | undefined,
) {
  const scope = new Construct(stack, 'Observability');
  const removalPolicy = RemovalPolicy.DESTROY;
  const logGroup = (id: string, logGroupName?: string) =>
    new LogGroup(scope, id, { logGroupName, retention, encryptionKey, removalPolicy });
  return {
    gateway: logGroup('api', `/aws/vendedlogs/${name}/api`),
    bus: logGroup('bus', `/aws/vendedlogs/${name}/bus`),
    functions: logGroup('functions'),
  };
}

/** Lets functions read a log group. */
export const readableLog = ({ logGroupName, logGroupArn }: LogGroup): Binding => ({
  value: logGroupName,
  meets: (need) => need === 'function-log:read',
  grants: () => [{ actions: ['logs:FilterLogEvents'], resource: logGroupArn }],
});

/** ARN of the streams of a log group whose names match a pattern. */
export const streamsOf = (logGroup: LogGroup, pattern: string): string =>
  Stack.of(logGroup).formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: `${logGroup.logGroupName}:log-stream:${pattern}`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
