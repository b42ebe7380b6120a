import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/**
 * The log groups of an instance, which end with the stack: of all functions, of the gateway, of the bus. Functions share
 * one, so that each question takes one metric filter and all audit lines one of its two subscriptions.
 */
export class Observability extends Construct {
  private readonly retention: RetentionDays;
  private readonly encryptionKey: IKey | undefined;

  /**
   * @param retention retention of all logs, in days; a value that CloudWatch Logs allows
   * @param encryptionKey undefined for the key of CloudWatch Logs
   */
  constructor(scope: Construct, id: string, retention: RetentionDays, encryptionKey: IKey | undefined) {
    super(scope, id);
    this.retention = retention;
    this.encryptionKey = encryptionKey;
  }

  logGroup(id: string, logGroupName?: string): LogGroup {
    const { retention, encryptionKey } = this;
    const removalPolicy = RemovalPolicy.DESTROY;
    return new LogGroup(this, id, { logGroupName, retention, encryptionKey, removalPolicy });
  }

  /**
   * A log group that a service of AWS writes to. CloudWatch Logs has one statement for all names with this prefix in its
   * resource policy, which is limited to 5,120 characters in an account and region.
   *
   * @param stack name of the stack
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
   */
  vendedLogGroup(id: string, stack: string): LogGroup {
    return this.logGroup(id, `/aws/vendedlogs/${stack}/${id}`);
  }
}
