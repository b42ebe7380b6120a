import type { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * Has the bus tell in a log which event it could not deliver to whom, and why: the only word of it where a rule has no
 * dead-letter queue. Of the event stands its id there, and nothing of what it says.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-logs.html
 */
export function logErrorsOf(scope: Construct, bus: EventBus, name: string, logGroup: LogGroup): void {
  const source = new CfnDeliverySource(scope, 'BusErrors', {
    name: `${name}-bus-errors`,
    logType: 'ERROR_LOGS',
    resourceArn: bus.eventBusArn,
  });
  const destination = new CfnDeliveryDestination(scope, 'BusErrorLog', {
    name: `${name}-bus-errors`,
    destinationResourceArn: logGroup.logGroupArn,
  });
  const delivery = new CfnDelivery(scope, 'BusErrorDelivery', {
    deliverySourceName: source.name,
    deliveryDestinationArn: destination.attrArn,
  });
  // By its name alone CloudFormation does not know that it needs the source.
  delivery.addResourceDependency(source);
}
