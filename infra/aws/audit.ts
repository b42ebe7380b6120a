import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { FilterPattern, LogGroup, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import type { Group } from '#infra/admin/operator-needs';
import { streamOf, VERIFIED } from '#lib/audit/streams';
import { MAX_AUDIT_DAYS } from '#lib/instance/settings';
import type { Binding } from './binding.ts';
import type { CoreFunction } from './function.ts';
import { streamsOf } from './observability.ts';

/**
 * The audit log: its lines are kept for a year, and it outlives the stack. CloudFormation generates its name, so that a
 * recreated stack does not conflict with the log group that its predecessor left.
 */
export class Audit extends Construct {
  readonly logGroup: LogGroup;
  readonly binding: Binding;

  /** @param encryptionKey undefined for the key of CloudWatch Logs */
  constructor(scope: Construct, id: string, encryptionKey: IKey | undefined) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Log', {
      retention: MAX_AUDIT_DAYS,
      encryptionKey,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const { logGroupName, logGroupArn } = this.logGroup;
    this.binding = {
      value: logGroupName,
      meets: (need) => need.startsWith('audit:'),
      grants: (needs) => [
        ...(needs.includes('audit:read')
          ? [{ actions: ['logs:FilterLogEvents'], resource: logGroupArn }]
          : []),
        ...(needs.includes('audit:write')
          ? [
              { actions: ['logs:CreateLogStream'], resource: logGroupArn },
              { actions: ['logs:PutLogEvents'], resource: streamsOf(this.logGroup, VERIFIED) },
            ]
          : []),
      ],
    };
  }

  /** ARN of the stream that only operators of a group may write. */
  streamOfOperators(group: Group): string {
    return streamsOf(this.logGroup, streamOf(group));
  }

  /**
   * Subscribes a function to the audit lines in the log of all functions, and to those that operators write to the audit
   * log itself. One of two subscriptions of each log group stays free.
   */
  collectWith({ lambda }: CoreFunction, logGroup: LogGroup): void {
    const subscribe = (id: string, source: LogGroup, field: string, value: string) =>
      new SubscriptionFilter(this, id, {
        logGroup: source,
        destination: new LambdaDestination(lambda),
        filterPattern: FilterPattern.stringValue(field, '=', value),
      });
    subscribe('Lines', logGroup, '$.level', 'audit');
    subscribe('OperatorLines', this.logGroup, '$.action', 'admin *');
  }
}
