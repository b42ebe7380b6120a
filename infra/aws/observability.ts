import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** The log groups of an instance, which end with the stack: one for each function, one for the gateway, one for the bus. */
export class Observability extends Construct {
  private readonly retention: RetentionDays;

  /** @param retention retention of all logs, in days; a value that CloudWatch Logs allows */
  constructor(scope: Construct, id: string, retention: RetentionDays) {
    super(scope, id);
    this.retention = retention;
  }

  logGroup(id: string, logGroupName?: string): LogGroup {
    const { retention } = this;
    return new LogGroup(this, id, { logGroupName, retention, removalPolicy: RemovalPolicy.DESTROY });
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
