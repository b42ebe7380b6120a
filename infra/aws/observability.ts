import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** Where an instance tells what it does: one log group for each function, one for the gateway, one for the bus. */
export class Observability extends Construct {
  private readonly retention: RetentionDays;

  /** @param retention of all logs, in days, as CloudWatch Logs allows it */
  constructor(scope: Construct, id: string, retention: RetentionDays) {
    super(scope, id);
    this.retention = retention;
  }

  /** Gone with the stack: what must outlive an instance stands in its table. */
  logGroup(id: string): LogGroup {
    return new LogGroup(this, id, {
      retention: this.retention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  /**
   * A log group that a service of AWS writes to. Of names with this beginning CloudWatch Logs does not keep a line each in
   * its resource policy, which holds 5,120 characters for all that write so in an account and region.
   *
   * @param stack its name
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
   */
  vendedLogGroup(id: string, stack: string): LogGroup {
    return new LogGroup(this, id, {
      logGroupName: `/aws/vendedlogs/${stack}/${id}`,
      retention: this.retention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
