import { RemovalPolicy } from 'aws-cdk-lib';
import { FilterPattern, LogGroup, RetentionDays, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import type { Binding } from './binding.ts';
import type { CoreFunction } from './function.ts';

/**
 * Who did what: a log group of its own, which is kept for a year and outlives the stack. It has no name but that which
 * CloudFormation makes up, so that a stack which is made again does not meet the one that its predecessor has left.
 */
export class Audit extends Construct {
  readonly logGroup: LogGroup;
  readonly binding: Binding;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Log', {
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const { logGroupName, logGroupArn } = this.logGroup;
    this.binding = {
      value: logGroupName,
      meets: (need) => need === 'audit:write',
      grants: () => [{ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resource: logGroupArn }],
    };
  }

  /** Has a function sent the audit lines of others, and nothing else of their logs. */
  collectWith(collector: CoreFunction, sources: readonly CoreFunction[]): void {
    for (const { definition, lambda } of sources)
      new SubscriptionFilter(this, definition.id, {
        logGroup: lambda.logGroup as LogGroup,
        destination: new LambdaDestination(collector.lambda),
        filterPattern: FilterPattern.stringValue('$.level', '=', 'audit'),
      });
  }
}
