import { RemovalPolicy } from 'aws-cdk-lib';
import { FilterPattern, LogGroup, RetentionDays, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import type { Binding } from './binding.ts';
import type { CoreFunction } from './function.ts';

/**
 * The audit log: its lines are kept for a year, and it outlives the stack. CloudFormation generates its name, so that a
 * recreated stack does not conflict with the log group that its predecessor left.
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

  /** Subscribes a function to the audit lines of other functions. */
  collectWith(collector: CoreFunction, sources: readonly CoreFunction[]): void {
    for (const { definition, lambda } of sources)
      new SubscriptionFilter(this, definition.id, {
        logGroup: lambda.logGroup as LogGroup,
        destination: new LambdaDestination(collector.lambda),
        filterPattern: FilterPattern.stringValue('$.level', '=', 'audit'),
      });
  }
}
