import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** Where an instance tells what it does: one log group for each function, one for the gateway. */
export class Observability extends Construct {
  /** Kept for a month, and gone with the stack: what must outlive an instance stands in its table. */
  logGroup(id: string): LogGroup {
    return new LogGroup(this, id, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
